/**
 * Endpoints: plain, frozen values that describe what an operation accepts and returns.
 *
 * An endpoint is built with `pipe` from a resource (`path`), an operation such as `get`, further declarations, and a
 * handler (`handle`). The type parameter `S` is the record of declarations. Combinators add keys to this record by
 * intersection. For example, `query` adds the key `query`. Only `handle` evaluates `S`, which keeps type checking
 * fast.
 */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import { isStandardSchema, schemaCodec } from '../codec/standard-schema/standard-schema.ts'
import type { Headers } from '../http/headers.ts'
import type { Context } from './context.ts'
import type { Attributes } from './definition/attributes.ts'
import { defaultAttributes } from './definition/attributes.ts'
import type {
  ConfigurationErrorCode,
  ConfigurationIssue,
} from './definition/configuration-error.ts'
import type { AnyReply } from './reply.ts'
import type { AnyRepresentation } from './representation.ts'
import type { AnySlot, NeedOf } from './definition/slot-types.ts'

/**
 * An endpoint, possibly incomplete. `S` has one key for each kind of declaration: `path`, `method`, `query`,
 * `header`, `cookie`, `matrix`, `form`, `queryMap`, `body`, `produces`, `status`, `responds`, `fails`, `raises`,
 * `needs`.
 */
export interface Endpoint<S> {
  readonly _tag: 'Endpoint'
  readonly definition: Definition
  /** The record of declarations. This member exists only at compile time. */
  readonly _S: S
  /** The unresolved dependencies. This member exists only at compile time. */
  readonly _R: (need: NeedOf<S> & Unhandled) => void
}

/** An endpoint without a handler, to which declarations can be added. */
export interface UnhandledEndpoint<S> extends Endpoint<S> {
  /** Rejects endpoints that have a handler. This member exists only at compile time. */
  readonly _H?: 'the endpoint already has a handler: remove this step, or move it before handle'
  /** Rejects trees. This member exists only at compile time. */
  readonly children?: TreeAsEndpoint
  /** Rejects operations without a resource, as in `pipe(get('/books'), …)`. This member exists only at compile time. */
  readonly step?: 'start with path(…)'
  /**
   * An endpoint is not a function. The message for an endpoint that is used as a step, as in `pipe(get(), path('/books'))`, ends in the
   * type of the parameter.
   */
  (before: 'an endpoint is not a step: start with path(…)'): unknown
}

/** A type that the children of a tree do not have. The message for a tree in place of an endpoint ends in it. */
export type TreeAsEndpoint =
  'expected an endpoint, got a tree: apply this step after path(…), before routes({ … })'

/** An unresolved dependency that an endpoint has until a handler is added to it. */
export interface Unhandled {
  readonly 'a handler for every endpoint': true
}

/** A group of parameters, named after their location in the request. */
export type ParameterGroup = 'path' | 'query' | 'header' | 'cookie' | 'matrix' | 'form'

/** Codecs by parameter name. */
export type ParameterMap = ReadonlyMap<string, Codec>

/** A response declared by an endpoint. */
export interface DeclaredResponse {
  readonly status: number
  /** Whether the response is declared with `fails`. A handler can send such a response by returning a `Left`. */
  readonly failure: boolean
  /** Alternative representations of the body. Empty if the response has no body. */
  readonly representations: ReadonlyArray<AnyRepresentation>
}

/** Headers that are declared for the responses with a status or, without a status, for all successful responses. */
export interface DeclaredHeaders {
  readonly status: number | undefined
  readonly codecs: ParameterMap
}

/** The definition of an endpoint as plain data. This is the input of the compiler and of clients. */
export interface Definition {
  readonly template: string
  readonly method: string | undefined
  readonly parameters: Readonly<Record<ParameterGroup, ParameterMap>>
  /** Whether the handler input contains a map of all query parameters. */
  readonly queryMap: boolean
  readonly bodies: ReadonlyArray<AnyRepresentation>
  /** The level at which declarations were made that an operation can replace, if its resource has made them. */
  readonly levels: Readonly<Record<string, Level>>
  readonly produces: ReadonlyArray<AnyRepresentation>
  /** Status of the success response. Default: 200, or 204 if the response has no body. */
  readonly status: number | undefined
  readonly responses: ReadonlyArray<DeclaredResponse>
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** The headers that handlers set in their replies. */
  readonly responseHeaders: ReadonlyArray<DeclaredHeaders>
  /** Value of the `Cache-Control` header in success responses. */
  readonly cacheControl: string | undefined
  /** The preconditions that are evaluated before the handler runs. */
  readonly preconditions: DeclaredPreconditions | undefined
  readonly needs: ReadonlyMap<string, AnySlot>
  readonly attributes: Attributes
  readonly handler: AnyHandler | undefined
  /**
   * Creates the handler from a function that returns the compiled tree. The compiler calls it, and its result replaces `handler`.
   * Set by `handleWithTree`.
   */
  readonly treeHandler?: (tree: () => never) => {
    readonly handler: AnyHandler
    readonly prepare: () => void
  }
  /** Whether the handler returns a value for the selected representation, as those of mock servers do. */
  readonly selectsValue?: true
  /** The options of the OpenAPI document that the operation serves. Set by `openApiRoutes`. */
  readonly servedDocument?: object
  /** Descriptions of conflicting declarations. They are reported as `FW-ROUTE-005` when the tree is compiled. */
  readonly conflicts: ReadonlyArray<string>
  /**
   * Errors because of which the definition is not what its author intended. When the tree is compiled, they are reported
   * instead of all other errors of the endpoint.
   */
  readonly issues: ReadonlyArray<DeclarationIssue>
}

/** Whether a declaration belongs to a resource, which has no method, or to an operation. */
export type Level = 'resource' | 'operation'

/** An error in the declarations of an endpoint. */
export type DeclarationIssue = Pick<ConfigurationIssue, 'code' | 'remedy'>

/** The preconditions of an operation. Its functions were type-checked when they were declared. */
export interface DeclaredPreconditions {
  /** Functions that compute the validators, each with a plain or an asynchronous result. */
  readonly compute: ReadonlyArray<AnyHandler>
  /**
   * Evaluates the preconditions of a request. `results` contains the results of `compute`. Returns the reply to send
   * if the handler must not run, and otherwise a function that adds the validators to a reply.
   */
  readonly evaluate: (
    results: ReadonlyArray<unknown>,
    context: Pick<Context, 'request'>,
  ) => Either<AnyReply, (headers: Headers) => Headers>
}

/** A handler without type parameters. Its types were checked when it was added to the endpoint. */
export type AnyHandler = (input: Readonly<Record<string, unknown>>, context: Context) => unknown

/** A combinator that adds declarations to an endpoint. */
export type Step<Added> = <S>(endpoint: UnhandledEndpoint<S>) => UnhandledEndpoint<S & Added>

/** A combinator that does not change the type of an endpoint. It can also be applied after `handle`. */
export type Keep = <E extends KeptEndpoint>(endpoint: E) => E

/** An endpoint, with or without a handler. */
export interface KeptEndpoint {
  readonly children?: TreeAsEndpoint
  readonly definition: Definition
}

const none: ParameterMap = new Map()

/** The definition of an endpoint that has no declarations. */
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
  levels: Object.freeze({}),
  produces: [],
  status: undefined,
  responses: [],
  headers: [],
  responseHeaders: [],
  cacheControl: undefined,
  preconditions: undefined,
  needs: new Map(),
  attributes: defaultAttributes,
  handler: undefined,
  conflicts: [],
  issues: [],
})

/** Freezes a definition and its arrays. Maps are not frozen, because `Object.freeze` does not make them immutable. */
const freezeDefinition = (definition: Definition): Definition => {
  Object.freeze(definition.bodies)
  Object.freeze(definition.produces)
  Object.freeze(definition.responses)
  Object.freeze(definition.headers)
  Object.freeze(definition.responseHeaders)
  Object.freeze(definition.conflicts)
  Object.freeze(definition.issues)
  return Object.freeze(definition)
}

/**
 * Creates an endpoint. The type argument is not checked against the definition, so each combinator must declare the
 * correct type in its signature.
 */
export const makeEndpoint = <S>(definition: Definition): UnhandledEndpoint<S> =>
  Object.freeze({
    _tag: 'Endpoint',
    definition: freezeDefinition(definition),
  }) as UnhandledEndpoint<S>

/**
 * Returns a copy of an endpoint with some members of its definition replaced. The other members of the endpoint are
 * kept.
 */
export const updateDefinition = <E extends { readonly definition: Definition }>(
  endpoint: E,
  change: (definition: Definition) => Partial<Definition>,
): E =>
  Object.freeze({
    ...endpoint,
    definition: freezeDefinition({ ...endpoint.definition, ...change(endpoint.definition) }),
  })

/** Returns a copy of a definition that records a conflict between declarations. */
export const withConflict = (definition: Definition, sentence: string): Definition => ({
  ...definition,
  conflicts: Object.freeze([...definition.conflicts, sentence]),
})

/**
 * Records a declaration that replaces an earlier one. A declaration on a resource is a default, which an operation can replace. A
 * second declaration at the same level is a conflict.
 */
export const declareOnce = (
  definition: Definition,
  name: string,
  remedy = 'keep one',
): Definition => {
  const level: Level = definition.method === undefined ? 'resource' : 'operation'
  const { [name]: before } = definition.levels
  return {
    ...(before === level
      ? withConflict(definition, `${name} is declared twice: ${remedy}`)
      : definition),
    levels: Object.freeze({ ...definition.levels, [name]: level }),
  }
}

/** Returns a copy of a definition that records an error. */
export const withIssue = (
  definition: Definition,
  code: ConfigurationErrorCode,
  remedy: string,
): Definition => ({
  ...definition,
  issues: Object.freeze([...definition.issues, { code, remedy }]),
})

/** Adds parameters to a group. If the group already contains a parameter with the same name, a conflict is recorded. */
export const addParameters = (
  definition: Definition,
  group: ParameterGroup,
  codecs: Iterable<readonly [string, unknown]>,
): Definition => {
  const before = definition.parameters[group]
  const all = new Map(before)
  let result = definition
  // the values are codecs, although the signatures of the combinators require only phantom members, which are cheaper
  // to type-check
  for (const [name, declared] of codecs as Iterable<readonly [string, Codec]>) {
    const codec = isStandardSchema(declared) ? schemaCodec(declared) : declared
    if (before.has(name))
      result = withConflict(result, `the ${group} parameter "${name}" is declared twice`)
    all.set(name, codec)
  }
  return { ...result, parameters: Object.freeze({ ...definition.parameters, [group]: all }) }
}
