/**
 * The endpoint: a plain, frozen value that says what it takes and what it answers. It is made in a pipe, from a resource
 * (`path`) over an operation (`get`, …) and what it declares, to its handler (`handle`). Nothing runs here.
 *
 * `S` is the record of what was declared so far. A combinator called `x` sets the key `x` of it, by intersection, and
 * nothing is worked out until `handle` reads it: this is what keeps the compiler quick.
 */
import type { Codec } from '../codec/codec.ts'
import type { Context } from './context.ts'
import type { Attributes } from './internal/attributes.ts'
import { defaultAttributes } from './internal/attributes.ts'
import type { AnyRepresentation } from './representation.ts'
import type { AnySlot, NeedOf } from './internal/slot-types.ts'

/** An endpoint of any stage. `S` holds, as far as declared: path, method, query, header, cookie, matrix, form, queryMap, body, produces, status, responds, fails, raises, needs. */
export interface Endpoint<S> {
  readonly _tag: 'Endpoint'
  readonly definition: Definition
  /** What was declared; there is no such member at run time. */
  readonly _S: S
  /** What has to be filled before it can be served; there is no such member at run time. */
  readonly _R: (need: NeedOf<S> & Unhandled) => void
}

/** The need of an endpoint without a handler. */
export interface Unhandled {
  readonly 'a handler for every endpoint': true
}

/** Where a parameter stands in the request. */
export type ParameterGroup = 'path' | 'query' | 'header' | 'cookie' | 'matrix' | 'form'

export type ParameterMap = ReadonlyMap<string, Codec>

/** A declared answer. */
export interface DeclaredResponse {
  readonly status: number
  /** Whether `fails` declared it: a `Left` of the handler finds its way here. */
  readonly failure: boolean
  /** The alternatives of its content; none for a response without content. */
  readonly representations: ReadonlyArray<AnyRepresentation>
}

/** What an endpoint says, as data: the only thing an interpreter reads. */
export interface Definition {
  readonly template: string
  readonly method: string | undefined
  readonly parameters: Readonly<Record<ParameterGroup, ParameterMap>>
  /** Whether the handler gets all query parameters as a map. */
  readonly queryMap: boolean
  readonly bodies: ReadonlyArray<AnyRepresentation>
  readonly produces: ReadonlyArray<AnyRepresentation>
  /** The status of what is produced; 200 or, without content, 204 when nothing was said. */
  readonly status: number | undefined
  readonly responses: ReadonlyArray<DeclaredResponse>
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** The `Cache-Control` of successful responses. */
  readonly cacheControl: string | undefined
  readonly needs: ReadonlyMap<string, AnySlot>
  readonly attributes: Attributes
  readonly handler: AnyHandler | undefined
  /** Contradictions that only the definition itself can show; they are reported when the tree is compiled. */
  readonly conflicts: ReadonlyArray<string>
}

/** A handler as the interpreter calls it: its types were checked where it was given. */
export type AnyHandler = (input: Readonly<Record<string, unknown>>, context: Context) => unknown

/** A step of the pipe that adds to the declarations. */
export type Step<Added> = <S>(endpoint: Endpoint<S>) => Endpoint<S & Added>

/** A step that leaves no trace in the type, so it may stand anywhere, behind the handler too. */
export type Keep = <E extends { readonly definition: Definition }>(endpoint: E) => E

const none: ParameterMap = new Map()

/** The definition of an endpoint of which nothing is known yet. */
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

/** Its lists are frozen with it; maps cannot be. */
const freezeDefinition = (definition: Definition): Definition => {
  Object.freeze(definition.bodies)
  Object.freeze(definition.produces)
  Object.freeze(definition.responses)
  Object.freeze(definition.headers)
  Object.freeze(definition.conflicts)
  return Object.freeze(definition)
}

/** An endpoint with this definition. `S` is the caller's claim: every step below states in its own signature what it adds. */
export const makeEndpoint = <S>(definition: Definition): Endpoint<S> =>
  Object.freeze({ _tag: 'Endpoint', definition: freezeDefinition(definition) }) as Endpoint<S>

/** The same endpoint with some of its definition said anew; whatever else it carries stays. */
export const updateDefinition = <E extends { readonly definition: Definition }>(
  endpoint: E,
  change: (definition: Definition) => Partial<Definition>,
): E =>
  Object.freeze({
    ...endpoint,
    definition: freezeDefinition({ ...endpoint.definition, ...change(endpoint.definition) }),
  })

/** The definition with one more contradiction. */
export const withConflict = (definition: Definition, sentence: string): Definition => ({
  ...definition,
  conflicts: Object.freeze([...definition.conflicts, sentence]),
})

/** Adds parameters to a group; a name that the group has already is noted as a contradiction. */
export const addParameters = (
  definition: Definition,
  group: ParameterGroup,
  codecs: Iterable<readonly [string, unknown]>,
): Definition => {
  const before = definition.parameters[group]
  const all = new Map(before)
  let noted = definition
  // the steps accept codecs only; their type asks for the phantom members alone, to spare the compiler
  for (const [name, codec] of codecs as Iterable<readonly [string, Codec]>) {
    if (before.has(name))
      noted = withConflict(noted, `the ${group} parameter "${name}" is declared twice`)
    all.set(name, codec)
  }
  return { ...noted, parameters: Object.freeze({ ...definition.parameters, [group]: all }) }
}
