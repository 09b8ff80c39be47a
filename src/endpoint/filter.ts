/**
 * Filters: functions that run before or after the handlers of all operations in a tree. Use `withFilter` to apply
 * filters to a tree.
 *
 * ```text
 * pre-matching   may rewrite the request, or respond                   (on the root only)
 * request        may respond, or provide values to inner scopes        (early filters first)
 * handler
 * response       receives each reply once, including error responses   (in reverse order)
 * ```
 */
import { checkFunction } from '../http/platform-value.ts'
import type { Headers } from '../http/headers.ts'
import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Conditional } from './condition.ts'
import type { Context, EndpointInfo, ResponseContext, CommonContext } from './context.ts'
import type { DeclaredResponse } from './endpoint.ts'
import type { HttpError } from './http-error.ts'
import type { AnyReply } from './reply.ts'
import type { AnySlot } from './definition/slot-types.ts'
import type { NamedSecurityScheme } from './security-scheme.ts'

/** Determines when and for which operations a filter, interceptor, reader or writer runs. */
export interface FilterOrder extends Conditional {
  /** Filters with smaller numbers receive the request earlier and the response later. Default: 5000. */
  readonly priority: number
  /**
   * Whether the filter runs before all filters that are not `nonBlocking`. If so, it runs on the event loop even if the
   * operation runs on a worker.
   */
  readonly nonBlocking: boolean
  /**
   * The filter applies only to operations to which all of these names have been added with `bind`. If the list is
   * empty, the filter applies to all operations.
   */
  readonly names: ReadonlyArray<string>
  /**
   * Predicate that selects the operations for which the filter runs. Called when the tree is compiled. If
   * `undefined`, the filter runs for all operations.
   */
  readonly appliesTo: ((endpoint: EndpointInfo) => boolean) | undefined
  /**
   * Whether the filter, if it is applied to a subtree, also runs for requests that match a path of the subtree but none of
   * its operations, such as preflight requests. Such a filter may be a pre-matching filter. Default: `false`.
   */
  readonly coversPaths?: boolean
  /**
   * Returns the headers for the rejection of a request before routing, for the value of its `Origin` header. Only filters at the root
   * are called, because such a request has no path.
   */
  readonly rejectionHeaders?: (origin: string | undefined) => Headers
  /** Name in configuration errors, such as `cors`. Default: the name of the function that the filter runs. */
  readonly name?: string
}

/** A filter that runs before routing, or, if it covers paths and is applied to a subtree, before all other filters. */
export interface PreMatchingFilter extends FilterOrder {
  readonly _tag: 'PreMatchingFilter'
  readonly run: (context: CommonContext) => unknown
  readonly responses: ReadonlyArray<DeclaredResponse>
}

/** A filter that runs after routing and before the handler. */
export interface RequestFilter extends FilterOrder {
  readonly _tag: 'RequestFilter'
  readonly run: (context: Context, needs: Readonly<Record<string, unknown>>) => unknown
  readonly needs: ReadonlyMap<string, AnySlot>
  readonly gives: ReadonlyMap<string, AnySlot>
  readonly responses: ReadonlyArray<DeclaredResponse>
  /** Properties of an authentication filter, or `undefined` for other filters. */
  readonly authentication: Authentication | undefined
  /** External resource that the filter requires, such as an optional package. */
  readonly requirement?: Requirement
}

/** A resource that must be available before a server accepts requests. */
export interface Requirement {
  /**
   * Returns instructions for making the resource available, or `undefined` if the resource is available. Called when
   * the tree is compiled.
   */
  readonly missing: () => string | undefined
  /**
   * Loads the resource. `serve` calls this function before the server starts listening. If the promise is rejected,
   * `serve` reports a configuration error.
   */
  readonly load: () => Promise<unknown>
}

/** Properties of an authentication filter. */
export interface Authentication {
  /** Challenge sent in the `WWW-Authenticate` header of 401 responses (RFC 9110, 11.6.1). */
  readonly challenge: string
  /** Authentication scheme: the first word of the challenge. */
  readonly scheme: string
  /** Whether to omit the challenge from 401 responses to requests without credentials. */
  readonly silent: boolean
  /** Whether to reject requests with invalid credentials even if the operation allows anonymous access. */
  readonly proactive: boolean
  /** The security schemes that describe the filter in documents. A client uses one of them. */
  readonly schemes: ReadonlyArray<NamedSecurityScheme>
  /** Whether malformed credentials are rejected with 400, as RFC 6750, 3.1, requires for bearer tokens. */
  readonly rejectsMalformed: boolean
}

/** A filter that runs once for each reply. */
export interface ResponseFilter extends FilterOrder {
  readonly _tag: 'ResponseFilter'
  readonly run: (reply: AnyReply, context: ResponseContext, failure: unknown) => unknown
}

/** A filter without type parameters. A combined filter consists of several filters. */
export type AnyFilter =
  | PreMatchingFilter
  | RequestFilter
  | ResponseFilter
  | { readonly _tag: 'Filters'; readonly filters: ReadonlyArray<AnyFilter> }

/**
 * A filter with type parameters: the slots that the filter needs (`N`) and provides (`G`), and the replies that it
 * declares (`E`). `_N`, `_G` and `_E` exist only at compile time.
 */
export type Filter<N, G, E> = AnyFilter & {
  readonly _N: (need: N) => void
  readonly _G: G
  readonly _E: E
}

/** A filter that needs no slots, provides no slots and declares no replies. */
export type PlainFilter = Filter<unknown, unknown, never>

/** Default priority for filters, interceptors and mappers. */
export const defaultPriority = 5000

/** The default order: the filter applies to all operations, with the default priority. */
export const defaultOrder: FilterOrder = {
  priority: defaultPriority,
  nonBlocking: false,
  names: [],
  appliesTo: undefined,
}

/**
 * Creates a filter. The type arguments are not checked, so each calling function must declare the correct types in its
 * signature.
 */
export const makeFilter = <N, G, E>(filter: AnyFilter): Filter<N, G, E> =>
  Object.freeze(filter) as Filter<N, G, E>

type Settled<V, R> = V | R | HttpError | Option<R> | Either<R | HttpError, V | R>
/**
 * The possible results of a filter: nothing, a reply, an `HttpError`, or an `Option` or `Either` that contains such a
 * value. The result can also be a `Promise`, a `Task` or a `TaskEither`.
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

/** Combines several filters into one filter. The filters run in the order of the arguments. */
export const filters = <E>(
  ...parts: ReadonlyArray<Filter<unknown, unknown, E>>
): Filter<unknown, unknown, E> => makeFilter({ _tag: 'Filters', filters: Object.freeze(parts) })

/**
 * Returns the filter with a type that omits the declared replies. As a result, typed clients have no types for these
 * replies.
 */
export const withUndeclaredReplies = (filter: AnyFilter): PlainFilter => makeFilter(filter)

type FilteredReply = AnyReply | void | undefined

/**
 * Creates a response filter, which receives every reply once. This includes replies from handlers, filters and
 * mappers, and error responses such as 404 or 405.
 *
 * `run` returns the reply to send, or nothing to keep the current reply. The `failure` argument is the error that
 * caused the reply, or `undefined` if there was no error.
 *
 * If `run` returns a reply with a new entity, the entity is encoded in the representation that the operation declares
 * for the status. If the status is not declared, strings are sent as text, byte arrays as bytes, and other values as
 * JSON.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, responseFilter, routes, text, withFilter, withHeader } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const send = inMemory(pipe(routes({ hello }), withFilter(responseFilter(withHeader('X-Served-By', 'a')))))
 *
 * assert.equal((await send('http://localhost/hello')).headers.get('X-Served-By'), 'a')
 * assert.equal((await send('http://localhost/nothing')).headers.get('X-Served-By'), 'a')
 * ```
 */
export const responseFilter = (
  run: (
    reply: AnyReply,
    context: ResponseContext,
    failure: unknown,
  ) => FilteredReply | Promise<FilteredReply> | (() => Promise<FilteredReply>),
): PlainFilter => {
  checkFunction('responseFilter(run)', 'run', run)
  return makeFilter({ _tag: 'ResponseFilter', ...defaultOrder, run })
}
