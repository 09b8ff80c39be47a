/** What a context tells of the request: header fields read as what they mean, when somebody asks. */
import * as O from 'fp-ts/lib/Option.js'
import type { RequestContext } from '../endpoint/context.ts'
import * as Accept from '../http/accept.ts'
import * as Cookie from '../http/cookie.ts'
import * as Grammar from '../http/grammar.ts'
import * as Headers from '../http/headers.ts'
import * as HttpDate from '../http/http-date.ts'
import * as LanguageRange from '../http/language-range.ts'
import * as MediaType from '../http/media-type.ts'
import type { Call } from './call.ts'

/** Built at the first touch; what it tells of header fields is read when it is asked for. */
export const requestContext = (call: Call): RequestContext => {
  const { exchange } = call
  const { method, path, query, headers } = exchange
  const header = (name: string): string | undefined => Headers.combined(headers, name.toLowerCase())
  return {
    method,
    path,
    query,
    headers,
    header,
    cookie: (name) => {
      const cookies = header('cookie')
      return cookies === undefined ? undefined : Cookie.first(cookies, name)
    },
    get mediaType() {
      const stated = Headers.first(headers, 'content-type')
      return stated === undefined ? undefined : O.toUndefined(MediaType.parse(Grammar.trim(stated)))
    },
    get length() {
      const stated = header('content-length')
      return stated === undefined ? undefined : Number(stated)
    },
    get date() {
      const stated = header('date')
      return stated === undefined ? undefined : O.toUndefined(HttpDate.parse(stated))
    },
    get accepts() {
      const stated = header('accept')
      const accept = stated === undefined ? O.none : Accept.parse(stated)
      return Accept.preferred(O.isNone(accept) ? Accept.anything : accept.value)
    },
    get languages() {
      return LanguageRange.preferred(header('accept-language') ?? '')
    },
    get address() {
      return exchange.address()
    },
    get id() {
      return call.id
    },
    get signal() {
      return exchange.signal()
    },
  }
}
