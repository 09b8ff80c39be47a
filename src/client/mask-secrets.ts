/** What a log does not say. */
import type { Headers } from '../http/headers.ts'

export interface Masking {
  /** Values by name; a field that is there several times has them joined by commas. */
  readonly headers: (headers: Headers) => Readonly<Record<string, string>>
  readonly url: (url: string) => string
}

const mask = '***'

const always: ReadonlyArray<string> = [
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'Set-Cookie',
]

/** Fields that are URLs. */
const ofUrls = new Set(['location', 'content-location', 'referer'])

const speaksOfSecrets = /password|secret|token|api-?key/i

/**
 * Masks header fields and query parameters of these names, of those that hold credentials, and of those whose names speak of a
 * secret; and the user-info of a URL. In fields that are URLs, it does the same.
 */
export const masking = (names: ReadonlyArray<string>): Masking => {
  const masked = new Set([...always, ...names].map((name) => name.toLowerCase()))
  const isMasked = (name: string): boolean =>
    masked.has(name.toLowerCase()) || speaksOfSecrets.test(name)
  const shown: Masking = {
    headers: (headers) => {
      const values = new Map<string, string>()
      for (let i = 0; i < headers.length; i += 2) {
        const name = headers[i] ?? ''
        const said = headers[i + 1] ?? ''
        const value = ofUrls.has(name.toLowerCase()) ? shown.url(said) : said
        const before = values.get(name)
        if (isMasked(name)) values.set(name, mask)
        else values.set(name, before === undefined ? value : `${before}, ${value}`)
      }
      return Object.fromEntries(values)
    },
    url: (url) =>
      url.replace(/^([^/?#]*\/\/)[^/?#]*@/, `$1${mask}@`).replace(/[?&][^&#]*/g, (pair) => {
        const equals = pair.indexOf('=')
        return equals > 0 && isMasked(nameOf(pair.slice(1, equals)))
          ? `${pair.slice(0, equals)}=${mask}`
          : pair
      }),
  }
  return shown
}

const nameOf = (escaped: string): string => {
  try {
    return decodeURIComponent(escaped)
  } catch {
    return escaped
  }
}
