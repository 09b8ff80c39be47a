/**
 * Filters: functions that run before or after handlers, for all operations of the tree that `withFilter` applies them
 * to.
 *
 * ```text
 * before matching   may rewrite the request, or answer it          (around the whole tree only)
 * request           may answer, or give values to what lies below  (early ones first)
 * handler
 * response          sees every reply, of whatever origin, once     (in the opposite order)
 * ```
 */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Conditional } from './condition.ts'
import type { Context, EndpointInfo, ResponseContext, Surroundings } from './context.ts'
import type { DeclaredResponse } from './endpoint.ts'
import type { HttpError } from './http-error.ts'
import type { AnyReply } from './reply.ts'
import type { AnySlot } from './internal/slot-types.ts'

/** When a filter, interceptor, reader or writer runs, and for which operations. */
export interface FilterOrder extends Conditional {
  /** Filters with smaller numbers see the request earlier and the response later. Default: 5000. */
  readonly priority: number
  /**
   * Whether the filter runs before all filters that are not `nonBlocking`, and on the event loop even if the operation
   * runs on a worker.
   */
  readonly nonBlocking: boolean
  /** Names that an operation must all be bound to. Empty for all operations. */
  readonly names: ReadonlyArray<string>
  /** Decides at compile time of the tree for which operations the filter runs; `undefined` for all. */
  readonly appliesTo: ((endpoint: EndpointInfo) => boolean) | undefined
}

/** A filter that runs before routing. */
export interface PreMatchingFilter extends FilterOrder {
  readonly _tag: 'PreMatchingFilter'
  readonly run: (context: Surroundings) => unknown
  readonly responses: ReadonlyArray<DeclaredResponse>
}

/** A filter that runs before the handler. */
export interface RequestFilter extends FilterOrder {
  readonly _tag: 'RequestFilter'
  readonly run: (context: Context, needs: Readonly<Record<string, unknown>>) => unknown
  readonly needs: ReadonlyMap<string, AnySlot>
  readonly gives: ReadonlyMap<string, AnySlot>
  readonly responses: ReadonlyArray<DeclaredResponse>
  /** Properties of an authentication filter; `undefined` for other filters. */
  readonly authentication: Authentication | undefined
  /** A condition outside the tree, such as an optional package. */
  readonly requirement?: Requirement
}

/** A resource that must be available before a server accepts requests. */
export interface Requirement {
  /** Returns the remedy if the resource is unavailable. Called when the tree is compiled. */
  readonly missing: () => string | undefined
  /** Loads the resource. `serve` calls this before it listens, and reports a rejection as a configuration error. */
  readonly load: () => Promise<unknown>
}

/** Properties of an authentication filter. */
export interface Authentication {
  /** Challenge that a 401 response sends in `WWW-Authenticate` (RFC 9110, 11.6.1). */
  readonly challenge: string
  /** Authentication scheme: the first word of the challenge. */
  readonly scheme: string
  /** Whether the challenge is omitted if the request has no credentials. */
  readonly silent: boolean
  /** Whether invalid credentials are also rejected where anonymous access is allowed. */
  readonly proactive: boolean
}

/** A filter that runs for each reply. */
export interface ResponseFilter extends FilterOrder {
  readonly _tag: 'ResponseFilter'
  readonly run: (reply: AnyReply, context: ResponseContext, failure: unknown) => unknown
}

/** A filter without its types. A ready-made filter may consist of several. */
export type AnyFilter =
  | PreMatchingFilter
  | RequestFilter
  | ResponseFilter
  | { readonly _tag: 'Filters'; readonly filters: ReadonlyArray<AnyFilter> }

/**
 * A filter with its types: the slots that it needs (`N`) and provides (`G`), and its declared replies (`E`). They
 * exist only at compile time.
 */
export type Filter<N, G, E> = AnyFilter & {
  readonly _N: (need: N) => void
  readonly _G: G
  readonly _E: E
}

/** A filter without dependencies, provided slots and declared replies. */
export type PlainFilter = Filter<unknown, unknown, never>

/** Default priority of filters, interceptors and mappers. */
export const defaultPriority = 5000

/** The default order: all operations, default priority. */
export const defaultOrder: FilterOrder = {
  priority: defaultPriority,
  nonBlocking: false,
  names: [],
  appliesTo: undefined,
}

/** Makes a filter. The type arguments are not checked: each constructor states them in its own signature. */
export const makeFilter = <N, G, E>(filter: AnyFilter): Filter<N, G, E> =>
  Object.freeze(filter) as Filter<N, G, E>

type Settled<V, R> = V | R | HttpError | Option<R> | Either<R | HttpError, V | R>
/**
 * The result of a filter: nothing, a reply, an `HttpError`, or an `Option` or `Either` of them. May be a `Promise`, a
 * `Task` or a `TaskEither`.
 */
export type FilterReturns<V, R> =
  | Settled<V, R>
  | Promise<Settled<V, R>>
  | (() => Promise<Settled<V, R>>)

/** Adds a requirement to a request filter. */
export const withRequirement =
  (requirement: Requirement) =>
  (filter: PlainFilter): PlainFilter =>
    filter._tag === 'RequestFilter' ? makeFilter({ ...filter, requirement }) : filter

/** Combines filters into one, in this order. */
export const filters = <E>(
  ...several: ReadonlyArray<Filter<unknown, unknown, E>>
): Filter<unknown, unknown, E> => makeFilter({ _tag: 'Filters', filters: Object.freeze(several) })

/** Returns the filter without the types of its replies, so that typed clients do not see them. */
export const withUndeclaredReplies = (filter: AnyFilter): PlainFilter => makeFilter(filter)
