/** The `context.uri` of a request. */
import type { UriInfo, UriParameters } from '../../endpoint/context.ts'
import * as Form from '../../http/form.ts'
import * as Path from '../../http/path.ts'
import * as Percent from '../../http/percent.ts'
import * as UriReference from '../../http/uri-reference.ts'
import type { OperationInfo, RequestInfo } from './request-info.ts'

/** The part of the request state that is used. */
export interface MatchedRequest extends Pick<RequestInfo, 'exchange' | 'captures'> {
  readonly program: Pick<RequestInfo['program'], 'settings'>
  readonly operation: Pick<OperationInfo, 'plan'> | undefined
}

/** Computes its members on use. Function members can be destructured, as those of `LazyRequestContext`. */
export class LazyUriInfo implements UriInfo {
  readonly #state: MatchedRequest

  constructor(state: MatchedRequest) {
    this.#state = state
  }

  get base(): URL {
    return new URL(`${this.#server}${below(this.#root)}`)
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
    const base = below(this.#root)
    return path.startsWith(base)
      ? path.slice(base.length)
      : path === this.#root
        ? ''
        : path.slice(1)
  }

  get pathParameters(): UriParameters['pathParameters'] {
    return this.#variables('text')
  }

  get queryParameters(): UriParameters['queryParameters'] {
    return gathered(Form.split(this.#state.exchange.query ?? ''), Form.decode)
  }

  get matrixParameters(): UriParameters['matrixParameters'] {
    return gathered(this.#matrix, Percent.decode)
  }

  get raw(): UriParameters {
    return {
      pathParameters: this.#variables('raw'),
      queryParameters: gathered(Form.split(this.#state.exchange.query ?? ''), asReceived),
      matrixParameters: gathered(this.#matrix, asReceived),
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

  get #matrix(): ReadonlyArray<Form.Pair> {
    return Path.matrix(Path.split(this.#state.exchange.path) ?? [])
  }

  #variables(form: 'text' | 'raw'): ReadonlyMap<string, string> {
    const { operation, captures } = this.#state
    const names = operation?.plan.pattern.names ?? []
    return new Map(names.map((name, index) => [name, captures[index]?.[form] ?? '']))
  }
}

const below = (root: string): string => (root.endsWith('/') ? root : `${root}/`)

const asReceived = (text: string): string => text

/** Groups values by name. Malformed names and values stay as received. */
const gathered = (
  pairs: ReadonlyArray<Form.Pair>,
  decode: (text: string) => string | undefined,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const values = new Map<string, string[]>()
  for (const [name, text = ''] of pairs) {
    const key = decode(name) ?? name
    const value = decode(text) ?? text
    const before = values.get(key)
    if (before === undefined) values.set(key, [value])
    else before.push(value)
  }
  return values
}
