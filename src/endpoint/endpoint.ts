/**
 * The endpoint: a plain, frozen value that describes what an operation accepts and returns.
 *
 * Endpoints are built in a pipe: a resource (`path`), an operation (`get`, …), declarations, and a handler
 * (`handle`). `S` is the record of declarations. The combinator `x` adds the key `x` to it by intersection.
 * Only `handle` evaluates `S`, which keeps type checking fast.
 */
import type { Codec } from '../codec/codec.ts'
import type { Context } from './context.ts'
import type { Attributes } from './internal/attributes.ts'
import { defaultAttributes } from './internal/attributes.ts'
import type { AnyRepresentation } from './representation.ts'
import type { AnySlot, NeedOf } from './internal/slot-types.ts'

/**
 * An endpoint, complete or not. `S` has the keys that are declared so far: `path`, `method`, `query`,
 * `header`, `cookie`, `matrix`, `form`, `queryMap`, `body`, `produces`, `status`, `responds`, `fails`,
 * `raises`, `needs`.
 */
export interface Endpoint<S> {
  readonly _tag: 'Endpoint'
  readonly definition: Definition
  /** The declarations. Exists only at compile time. */
  readonly _S: S
  /** The unresolved dependencies. Exists only at compile time. */
  readonly _R: (need: NeedOf<S> & Unhandled) => void
}

/** The dependency of an endpoint without a handler. */
export interface Unhandled {
  readonly 'a handler for every endpoint': true
}

/** Groups of parameters, by their location in the request. */
export type ParameterGroup = 'path' | 'query' | 'header' | 'cookie' | 'matrix' | 'form'

/** Codecs by parameter name. */
export type ParameterMap = ReadonlyMap<string, Codec>

/** A declared response. */
export interface DeclaredResponse {
  readonly status: number
  /** Whether `fails` declares it, so that a `Left` of the handler may become this response. */
  readonly failure: boolean
  /** Alternative representations of the body; empty for a response without a body. */
  readonly representations: ReadonlyArray<AnyRepresentation>
}

/** The definition of an endpoint as data: the input of the compiler and of clients. */
export interface Definition {
  readonly template: string
  readonly method: string | undefined
  readonly parameters: Readonly<Record<ParameterGroup, ParameterMap>>
  /** Whether the input has all query parameters as a map. */
  readonly queryMap: boolean
  readonly bodies: ReadonlyArray<AnyRepresentation>
  readonly produces: ReadonlyArray<AnyRepresentation>
  /** Status of the success response. Default: 200, or 204 without a body. */
  readonly status: number | undefined
  readonly responses: ReadonlyArray<DeclaredResponse>
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** `Cache-Control` of success responses. */
  readonly cacheControl: string | undefined
  readonly needs: ReadonlyMap<string, AnySlot>
  readonly attributes: Attributes
  readonly handler: AnyHandler | undefined
  /** Conflicting declarations, reported as `FW-ROUTE-005` when the tree is compiled. */
  readonly conflicts: ReadonlyArray<string>
}

/** A handler without its types, which `handle` has checked. */
export type AnyHandler = (input: Readonly<Record<string, unknown>>, context: Context) => unknown

/** A combinator that adds declarations to an endpoint. */
export type Step<Added> = <S>(endpoint: Endpoint<S>) => Endpoint<S & Added>

/** A combinator that does not change the type of an endpoint. It may also follow `handle`. */
export type Keep = <E extends { readonly definition: Definition }>(endpoint: E) => E

const none: ParameterMap = new Map()

/** The definition of an endpoint without declarations. */
export const emptyDefinition: Definition = Object.freeze({
  template: '',
  method: undefined,
  parameters: Object.freeze({
    path: none,
    query: none,
    header: none,
    cookie: none,
    matrix: none,
    form: none,
  }),
  queryMap: false,
  bodies: [],
  produces: [],
  status: undefined,
  responses: [],
  headers: [],
  cacheControl: undefined,
  needs: new Map(),
  attributes: defaultAttributes,
  handler: undefined,
  conflicts: [],
})

/** Freezes a definition and its lists. Maps cannot be frozen. */
const freezeDefinition = (definition: Definition): Definition => {
  Object.freeze(definition.bodies)
  Object.freeze(definition.produces)
  Object.freeze(definition.responses)
  Object.freeze(definition.headers)
  Object.freeze(definition.conflicts)
  return Object.freeze(definition)
}

/** Makes an endpoint. The type argument is not checked: each combinator states in its signature what it adds. */
export const makeEndpoint = <S>(definition: Definition): Endpoint<S> =>
  Object.freeze({ _tag: 'Endpoint', definition: freezeDefinition(definition) }) as Endpoint<S>

/** Replaces parts of an endpoint's definition and keeps its other members. */
export const updateDefinition = <E extends { readonly definition: Definition }>(
  endpoint: E,
  change: (definition: Definition) => Partial<Definition>,
): E =>
  Object.freeze({
    ...endpoint,
    definition: freezeDefinition({ ...endpoint.definition, ...change(endpoint.definition) }),
  })

/** Records a conflict between declarations. */
export const withConflict = (definition: Definition, sentence: string): Definition => ({
  ...definition,
  conflicts: Object.freeze([...definition.conflicts, sentence]),
})

/** Adds parameters to a group. A name that the group already has is recorded as a conflict. */
export const addParameters = (
  definition: Definition,
  group: ParameterGroup,
  codecs: Iterable<readonly [string, unknown]>,
): Definition => {
  const before = definition.parameters[group]
  const all = new Map(before)
  let noted = definition
  // the combinators accept only codecs, although their signatures require only phantom members to save type checking
  for (const [name, codec] of codecs as Iterable<readonly [string, Codec]>) {
    if (before.has(name))
      noted = withConflict(noted, `the ${group} parameter "${name}" is declared twice`)
    all.set(name, codec)
  }
  return { ...noted, parameters: Object.freeze({ ...definition.parameters, [group]: all }) }
}
