/** Resolves `Location` headers against the base URL of the application, with `fw.rest.absolute-location`. */
import { identity } from 'fp-ts/lib/function.js'
import type * as Headers from '../../http/headers.ts'
import { parseUrl } from '../../http/parse-url.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { Exchange } from '../exchange.ts'
import { serverUrl } from '../exchange.ts'

/** Resolves the `Location` among response headers. */
export type ResolveLocation = (headers: Headers.Headers, exchange: Exchange) => Headers.Headers

/** Returns a function that resolves `Location` against `fw.rest.path`, or one that returns all headers unchanged. */
export const locationResolver = (settings: Settings): ResolveLocation =>
  settings['fw.rest.absolute-location']
    ? resolveAgainst(settings['fw.rest.path'], settings['fw.http.public-url'])
    : identity

const resolveAgainst =
  (path: string, publicUrl: string | undefined): ResolveLocation =>
  (headers, exchange) => {
    const server = publicUrl ?? serverUrl(exchange)
    const baseUrl = `${server}${path.endsWith('/') ? path : `${path}/`}`
    return headers.map((text, index) =>
      index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'location'
        ? (parseUrl(text, baseUrl)?.href ?? text)
        : text,
    )
  }
