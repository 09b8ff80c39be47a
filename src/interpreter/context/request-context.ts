/** Implements `context.request`, `context.uri` and `context.security`. Members are computed on access. */
import type {
  ClientCertificate,
  UriInfo,
  UriParameters,
  Principal,
  SecurityContext,
  RequestContext,
} from '../../endpoint/context.ts'
import * as Percent from '../../http/percent.ts'
import * as Path from '../../http/path.ts'
import * as UriReference from '../../http/uri-reference.ts'
import type { MatchedOperation, RequestInfo } from '../request-info.ts'
import { identity } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from '../../http/accept.ts'
import * as AcceptLanguage from '../../http/accept-language.ts'
import * as Cookie from '../../http/cookie.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import * as HttpDate from '../../http/http-date.ts'
import * as MediaType from '../../http/media-type.ts'

/** The part of the request state that {@link LazyUriInfo} reads. */
export interface MatchedRequest extends Pick<RequestInfo, 'exchange' | 'captures'> {
  readonly program: Pick<RequestInfo['program'], 'settings'>
  readonly operation: Pick<MatchedOperation, 'plan'> | undefined
}

/** Implements `context.uri`. Its methods can be destructured, like those of {@link LazyRequestContext}. */
export class LazyUriInfo implements UriInfo {
  readonly #state: MatchedRequest

  constructor(state: MatchedRequest) {
    this.#state = state
  }

  get base(): URL {
    return new URL(`${this.#server}${withTrailingSlash(this.#root)}`)
  }

  get absolute(): URL {
    return new URL(`${this.#server}${this.#state.exchange.path}`)
  }

  get request(): URL {
    const { path, query } = this.#state.exchange
    return new URL(`${this.#server}${path}${query === undefined ? '' : `?${query}`}`)
  }

  get path(): string {
    const { path } = this.#state.exchange
    const base = withTrailingSlash(this.#root)
    return path.startsWith(base)
      ? path.slice(base.length)
      : path === this.#root
        ? ''
        : path.slice(1)
  }

  get pathParameters(): UriParameters['pathParameters'] {
    return this.#pathParameters('text')
  }

  get queryParameters(): UriParameters['queryParameters'] {
    return groupByName(Percent.splitPairs(this.#state.exchange.query ?? ''), Percent.decodeForm)
  }

  get matrixParameters(): UriParameters['matrixParameters'] {
    return groupByName(this.#matrix, Percent.decode)
  }

  get raw(): UriParameters {
    return {
      pathParameters: this.#pathParameters('raw'),
      queryParameters: groupByName(Percent.splitPairs(this.#state.exchange.query ?? ''), identity),
      matrixParameters: groupByName(this.#matrix, identity),
    }
  }

  get resolve(): UriInfo['resolve'] {
    const { base } = this
    return (reference) => new URL(reference, base)
  }

  get relativize(): UriInfo['relativize'] {
    const { base, request } = this
    return (reference) => UriReference.relative(request, new URL(reference, base))
  }

  get #root(): string {
    return this.#state.program.settings['fw.rest.path']
  }

  get #server(): string {
    const { exchange, program } = this.#state
    return program.settings['fw.http.public-url'] ?? exchange.origin() + exchange.prefix()
  }

  get #matrix(): ReadonlyArray<Percent.Pair> {
    return Path.matrix(Path.split(this.#state.exchange.path) ?? [])
  }

  #pathParameters(form: 'text' | 'raw'): ReadonlyMap<string, string> {
    const { operation, captures } = this.#state
    const names = operation?.plan.pattern.names ?? []
    return new Map(names.map((name, index) => [name, captures[index]?.[form] ?? '']))
  }
}

const withTrailingSlash = (root: string): string => (root.endsWith('/') ? root : `${root}/`)

/** Groups parameter values by name. Names and values that cannot be decoded are kept as received. */
const groupByName = (
  pairs: ReadonlyArray<Percent.Pair>,
  decode: (text: string) => string | undefined,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const values = new Map<string, string[]>()
  for (const [name, text = ''] of pairs) {
    const key = decode(name) ?? name
    const value = decode(text) ?? text
    const list = values.get(key)
    if (list === undefined) values.set(key, [value])
    else list.push(value)
  }
  return values
}

/**
 * Implements `context.security`. Members reflect the current state of the request, because authentication filters can run after
 * the context is created.
 */
export class LazySecurityContext implements SecurityContext {
  readonly #state: Pick<RequestInfo, 'authenticated' | 'exchange'>

  constructor(state: Pick<RequestInfo, 'authenticated' | 'exchange'>) {
    this.#state = state
  }

  get principal(): Principal | undefined {
    return this.#state.authenticated?.principal
  }

  get scheme(): string | undefined {
    return this.#state.authenticated?.scheme
  }

  get hasRole(): SecurityContext['hasRole'] {
    const { principal } = this
    return (role) => principal?.roles.includes(role) ?? false
  }

  get secure(): boolean {
    return this.#state.exchange.origin().startsWith('https:')
  }
}

/**
 * Implements `context.request`. Members reflect the current state of the request, because pre-matching filters can rewrite the
 * request after the context is created.
 *
 * Methods are implemented as getters that return closures. They can therefore be destructured: `({ request: { header } }) => …`.
 */
export class LazyRequestContext implements RequestContext {
  readonly #state: Pick<RequestInfo, 'exchange' | 'id' | 'signal'>
  #list: Headers.Headers | undefined = undefined

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
    const { headers } = this.#state.exchange
    // all rewritten exchanges have lists, so only one object has to be converted
    return Headers.isList(headers) ? headers : (this.#list ??= Headers.toList(headers))
  }

  get header(): RequestContext['header'] {
    const { headers } = this
    return (name) => Headers.combined(headers, name.toLowerCase())
  }

  get headerValues(): RequestContext['headerValues'] {
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
    const text = this.#combined('content-type')
    return text === undefined ? undefined : O.toUndefined(MediaType.parse(Grammar.trim(text)))
  }

  get length(): number | undefined {
    const text = this.#combined('content-length')
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
  }

  get date(): Date | undefined {
    const text = this.#combined('date')
    return text === undefined ? undefined : O.toUndefined(HttpDate.parse(text))
  }

  get accepts(): ReadonlyArray<MediaType.MediaType> {
    const accept = Accept.parse(this.#combined('accept') ?? '')
    return Accept.preferred(O.isNone(accept) ? Accept.anything : accept.value)
  }

  get languages(): ReadonlyArray<string> {
    return AcceptLanguage.preferred(AcceptLanguage.parse(this.#combined('accept-language') ?? ''))
  }

  get clientAddress(): string | undefined {
    return this.#state.exchange.clientAddress()
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#state.exchange.clientCertificate?.()
  }

  get id(): string {
    return this.#state.id
  }

  get signal(): AbortSignal {
    return this.#state.signal()
  }

  #combined(lowerCaseName: string): string | undefined {
    return Headers.combined(this.#state.exchange.headers, lowerCaseName)
  }
}
