/**
 * Filters: what happens around handlers. A filter covers exactly the tree it is put around with `withFilter`; it is a plain
 * value, and what it runs is a function that a unit test can call.
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

/** Where a filter stands, and for whom. */
export interface FilterOrder extends Conditional {
  /** Filters with smaller numbers see the request earlier and the response later; 5000 unless it is said. */
  readonly priority: number
  /** Whether it runs before every filter that does not, and on the event loop where the operation runs on a worker. */
  readonly nonBlocking: boolean
  /** The names that an operation must be bound to, all of them; none for every operation. */
  readonly names: ReadonlyArray<string>
  /** Decides, when the tree is compiled, for which operations it runs; `undefined` for all. */
  readonly appliesTo: ((endpoint: EndpointInfo) => boolean) | undefined
}

export interface PreMatchingFilter extends FilterOrder {
  readonly _tag: 'PreMatchingFilter'
  readonly run: (context: Surroundings) => unknown
  readonly responses: ReadonlyArray<DeclaredResponse>
}

export interface RequestFilter extends FilterOrder {
  readonly _tag: 'RequestFilter'
  readonly run: (context: Context, needs: Readonly<Record<string, unknown>>) => unknown
  readonly needs: ReadonlyMap<string, AnySlot>
  readonly gives: ReadonlyMap<string, AnySlot>
  readonly responses: ReadonlyArray<DeclaredResponse>
  /** What makes it an authentication filter; `undefined` for any other. */
  readonly authentication: Authentication | undefined
  /** What it needs besides the tree, such as an optional package. */
  readonly requirement?: Requirement
}

/** Something that must be available before a server accepts requests. */
export interface Requirement {
  /** Returns the remedy if it is not available. Called when the tree is compiled. */
  readonly missing: () => string | undefined
  /** Loads it. `serve` calls this before it listens, and reports a rejection as a configuration error. */
  readonly load: () => Promise<unknown>
}

/** What a filter says that finds out who asks. */
export interface Authentication {
  /** What a 401 tells the client to send (RFC 9110, 11.6.1). */
  readonly challenge: string
  /** The first word of the challenge. */
  readonly scheme: string
  /** Whether the challenge is kept from requests that bring no credentials at all. */
  readonly silent: boolean
  /** Whether bad credentials are refused where anybody may call, too. */
  readonly proactive: boolean
}

export interface ResponseFilter extends FilterOrder {
  readonly _tag: 'ResponseFilter'
  readonly run: (reply: AnyReply, context: ResponseContext, failure: unknown) => unknown
}

/** A filter as an interpreter sees it; a ready-made one may consist of several. */
export type AnyFilter =
  | PreMatchingFilter
  | RequestFilter
  | ResponseFilter
  | { readonly _tag: 'Filters'; readonly filters: ReadonlyArray<AnyFilter> }

/** A filter with its types: what it needs and gives, by slot, and the replies that it may answer with. None of them exists at run time. */
export type Filter<N, G, E> = AnyFilter & {
  readonly _N: (need: N) => void
  readonly _G: G
  readonly _E: E
}

/** A filter that neither needs nor gives nor answers anything. */
export type PlainFilter = Filter<unknown, unknown, never>

/** The priority of filters and mappers that say none. */
export const defaultPriority = 5000

/** For every operation, among the others. */
export const defaultOrder: FilterOrder = {
  priority: defaultPriority,
  nonBlocking: false,
  names: [],
  appliesTo: undefined,
}

/** A filter with its types. They are the caller's claim: each constructor below states them in its own signature. */
export const makeFilter = <N, G, E>(filter: AnyFilter): Filter<N, G, E> =>
  Object.freeze(filter) as Filter<N, G, E>

type Settled<V, R> = V | R | HttpError | Option<R> | Either<R | HttpError, V | R>
/** Nothing, a reply, an error with a status, or an `Option` or `Either` of them; now, as a promise, a `Task` or a `TaskEither`. */
export type FilterReturns<V, R> =
  | Settled<V, R>
  | Promise<Settled<V, R>>
  | (() => Promise<Settled<V, R>>)

/** Adds a requirement to a request filter. */
export const withRequirement =
  (requirement: Requirement) =>
  (filter: PlainFilter): PlainFilter =>
    filter._tag === 'RequestFilter' ? makeFilter({ ...filter, requirement }) : filter

/** Several filters as one, in this order: for filters that belong together. */
export const filters = <E>(
  ...several: ReadonlyArray<Filter<unknown, unknown, E>>
): Filter<unknown, unknown, E> => makeFilter({ _tag: 'Filters', filters: Object.freeze(several) })

/** A filter whose replies are no answers of the operations below it, and so not told to their callers. */
export const withUndeclaredReplies = (filter: AnyFilter): PlainFilter => makeFilter(filter)
