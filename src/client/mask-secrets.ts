/** Masks secrets in headers and URLs before they are logged. */
import type { Headers } from '../http/headers.ts'

export interface Masker {
  /** Returns header values by name. Several values of a name are joined by commas. */
  readonly headers: (headers: Headers) => Readonly<Record<string, string>>
  readonly url: (url: string) => string
}

const mask = '***'

const credentialHeaders: ReadonlyArray<string> = [
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'Set-Cookie',
]

const urlHeaders = new Set(['location', 'content-location', 'referer'])

const secretName = /password|secret|token|api-?key/i

/**
 * Creates a function that masks headers and one that masks URLs.
 *
 * Masked are headers and query parameters with one of `names`, headers with credentials, names that suggest a secret, and the user
 * information of URLs. URLs in headers such as `Location` are masked in the same way.
 */
export const createMasker = (names: ReadonlyArray<string>): Masker => {
  const maskedNames = new Set([...credentialHeaders, ...names].map((name) => name.toLowerCase()))
  const isMasked = (name: string): boolean =>
    maskedNames.has(name.toLowerCase()) || secretName.test(name)
  const masker: Masker = {
    headers: (headers) => {
      const values = new Map<string, string>()
      for (let i = 0; i < headers.length; i += 2) {
        const name = headers[i] ?? ''
        const raw = headers[i + 1] ?? ''
        const value = urlHeaders.has(name.toLowerCase()) ? masker.url(raw) : raw
        const previous = values.get(name)
        if (isMasked(name)) values.set(name, mask)
        else values.set(name, previous === undefined ? value : `${previous}, ${value}`)
      }
      return Object.fromEntries(values)
    },
    url: (url) =>
      url.replace(/^([^/?#]*\/\/)[^/?#]*@/, `$1${mask}@`).replace(/[?&][^&#]*/g, (parameter) => {
        const equals = parameter.indexOf('=')
        return equals > 0 && isMasked(decodeName(parameter.slice(1, equals)))
          ? `${parameter.slice(0, equals)}=${mask}`
          : parameter
      }),
  }
  return masker
}

/** Decodes a percent-encoded name. Returns a malformed one unchanged. */
const decodeName = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
