/** The `context.request` of a request: its headers, parsed on first use. */
import * as O from 'fp-ts/lib/Option.js'
import type { RequestContext } from '../../endpoint/context.ts'
import * as Accept from '../../http/accept.ts'
import * as Cookie from '../../http/cookie.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import * as HttpDate from '../../http/http-date.ts'
import * as LanguageRange from '../../http/accept-language.ts'
import * as MediaType from '../../http/media-type.ts'
import type { RequestInfo } from './request-info.ts'

/**
 * Reads the current state of the request, because pre-matching filters may rewrite it.
 *
 * Function members are getters that return closures, so that they can be destructured: `({ request: { header } }) => …`.
 */
export class LazyRequestContext implements RequestContext {
  readonly #state: Pick<RequestInfo, 'exchange' | 'id' | 'signal'>

  constructor(state: Pick<RequestInfo, 'exchange' | 'id' | 'signal'>) {
    this.#state = state
  }

  get method(): string {
    return this.#state.exchange.method
  }

  get path(): string {
    return this.#state.exchange.path
  }

  get query(): string | undefined {
    return this.#state.exchange.query
  }

  get headers(): Headers.Headers {
    return this.#state.exchange.headers
  }

  get header(): RequestContext['header'] {
    const { headers } = this
    return (name) => Headers.combined(headers, name.toLowerCase())
  }

  get headerLines(): RequestContext['headerLines'] {
    const { headers } = this
    return (name) => Headers.all(headers, name.toLowerCase())
  }

  get cookie(): RequestContext['cookie'] {
    const cookies = this.#combined('cookie')
    return (name) => (cookies === undefined ? undefined : Cookie.first(cookies, name))
  }

  get cookies(): RequestContext['cookies'] {
    return Cookie.parse(this.#combined('cookie') ?? '')
  }

  get mediaType(): MediaType.MediaType | undefined {
    const stated = Headers.first(this.headers, 'content-type')
    return stated === undefined ? undefined : O.toUndefined(MediaType.parse(Grammar.trim(stated)))
  }

  get length(): number | undefined {
    const stated = this.#combined('content-length')
    return stated !== undefined && /^\d+$/.test(stated) ? Number(stated) : undefined
  }

  get date(): Date | undefined {
    const stated = this.#combined('date')
    return stated === undefined ? undefined : O.toUndefined(HttpDate.parse(stated))
  }

  get accepts(): ReadonlyArray<MediaType.MediaType> {
    const accept = Accept.parse(this.#combined('accept') ?? '')
    return Accept.preferred(O.isNone(accept) ? Accept.anything : accept.value)
  }

  get languages(): ReadonlyArray<string> {
    return LanguageRange.preferred(this.#combined('accept-language') ?? '')
  }

  get address(): string | undefined {
    return this.#state.exchange.clientAddress()
  }

  get id(): string {
    return this.#state.id
  }

  get signal(): AbortSignal {
    return this.#state.signal()
  }

  #combined(lower: string): string | undefined {
    return Headers.combined(this.headers, lower)
  }
}
