/**
 * Provides building blocks for policies: functions that create and order policies, discard responses, and link abort
 * signals.
 */
import * as E from 'fp-ts/lib/Either.js'
import { parseUrl } from '../../http/host.ts'
import type { ClientError, Aborted } from '../client-error.ts'
import type { ClientRequest, ClientResponse, Passage, Policy } from '../exchange.ts'
import { defectError, abortedError } from '../error-factories.ts'
import { cancel } from '../receive-body.ts'
import { onAbort } from '../timer.ts'

const defaultPriority = 5000

/**
 * Creates a policy. If the policy throws an exception or its task rejects, the call fails with a `Defect`. Throws a
 * `RangeError` if `priority` is `NaN`.
 */
export const createPolicy = (
  around: Policy['around'],
  priority: number = defaultPriority,
): Policy => {
  if (Number.isNaN(priority)) throw new RangeError('priority must be a number, got NaN')
  return Object.freeze({
    _tag: 'Policy',
    around: (next: Passage) => catchDefects(around(next)),
    priority,
  })
}

const catchDefects =
  (passage: Passage): Passage =>
  (request) =>
  async () => {
    try {
      return await passage(request)()
    } catch (cause) {
      return E.left(defectError(request.operation, cause))
    }
  }

/**
 * Whether a value is a policy. This check detects policy functions that are passed without being called, such as
 * `retry` instead of `retry({ times: 2 })`.
 */
export const isPolicy = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  value._tag === 'Policy' &&
  'around' in value &&
  typeof value.around === 'function'

/**
 * Wraps a passage in policies. Policies with lower `priority` values wrap policies with higher values. Policies with
 * equal values keep their order.
 */
export const applyPolicies = (policies: ReadonlyArray<Policy>, passage: Passage): Passage =>
  policies.length === 0
    ? passage
    : policies
        .toSorted((a, b) => (a.priority ?? defaultPriority) - (b.priority ?? defaultPriority))
        .reduceRight((next, { around }) => around(next), passage)

/** Result of a request: a response with any status, or an error. */
export type SendResult = E.Either<ClientError, ClientResponse>

/** Returns whether a policy applies to the result of a request. */
export type Judge = (result: SendResult, request: ClientRequest) => boolean

/**
 * Wraps a predicate provided by the application. If the predicate throws an exception, the response is discarded and
 * the exception is rethrown.
 */
export const discardOnThrow =
  (judge: Judge): Judge =>
  (result, request) => {
    try {
      return judge(result, request)
    } catch (error) {
      discardResponse(result)
      throw error
    }
  }

/** Frees the connection of a response by cancelling its body. Has no effect on errors. */
export const discardResponse = (result: SendResult): void => {
  if (E.isRight(result)) cancel(result.right.body)
}

/** Discards a replaced result, unless the replacement has the same response body. */
export const discardReplaced = (result: SendResult, replacement: SendResult): void => {
  if (result === replacement || E.isLeft(result)) return
  if (E.isRight(replacement)) {
    if (replacement.right === result.right) return
    // reading `body` opens a stream, so identical responses are compared first
    if (replacement.right.body === result.right.body) return
  }
  discardResponse(result)
}

/**
 * Return value of an application function that can supply a different response.
 *
 * The result is a response or a `SendResult`, or `undefined` if `N` permits it. The function can return it directly, or
 * as a promise, a `Task` or a `TaskEither`.
 */
export type Returned<N = never> =
  | ClientResponse
  | SendResult
  | N
  | Promise<ClientResponse | SendResult | N>
  | (() => Promise<ClientResponse | SendResult | N>)

/** Resolves the return value of an application function. A plain response is wrapped in a `Right`. */
export const resolveReturned = async <N extends undefined = never>(
  returned: Returned<N>,
): Promise<SendResult | N> => {
  const value = await (typeof returned === 'function' ? returned() : returned)
  return value === undefined || '_tag' in value ? value : E.right(value)
}

/** Returns the origin (scheme, host and port) of an absolute URL. Returns an invalid URL unchanged. */
export const originOf = (url: string): string => parseUrl(url)?.origin ?? url

/** An abort signal that is aborted together with its parent, and can also be aborted separately. */
export interface LinkedSignal {
  /** Signal that is aborted when the parent is aborted or `abort` is called. */
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** Stops the signal from following its parent. */
  readonly release: () => void
}

/**
 * Creates a signal that follows `parent` until `release` is called. When `parent` is aborted,
 * the created signal is aborted first, and then `onParentAbort` is called.
 *
 * `AbortSignal.any` is not used, because the signals that it returns cannot be released. They follow their parents
 * until they are garbage-collected.
 */
export const linkSignal = (
  parent: AbortSignal | undefined,
  onParentAbort = ignore,
): LinkedSignal => {
  const controller = new AbortController()
  const abort = (reason: unknown): void => controller.abort(reason)
  if (parent?.aborted === true) abort(parent.reason)
  const follow = (): void => {
    abort(parent?.reason)
    onParentAbort()
  }
  return { signal: controller.signal, abort, release: onAbort(parent, follow) }
}

/**
 * Waits until a promise returned by an application function has settled or the caller has aborted the request.
 *
 * If the promise resolves after an abort, `onLate` is called with the value. If the promise rejects after an abort,
 * `onLate` is called without arguments.
 */
export const abortable = <A>(
  request: ClientRequest,
  promise: Promise<A>,
  onLate: (value?: A) => void = ignore,
): Promise<E.Either<Aborted, A>> => {
  const { signal } = request
  if (signal === undefined) return promise.then(E.right)
  return new Promise((resolve, reject) => {
    let isAbandoned = false
    const abandon = (): void => {
      isAbandoned = true
      resolve(E.left(abortedError(request)))
    }
    if (signal.aborted) abandon()
    const release = onAbort(signal, abandon)
    promise.finally(release).then(
      (value) => (isAbandoned ? onLate(value) : resolve(E.right(value))),
      (error: unknown) => (isAbandoned ? onLate() : reject(error)),
    )
  })
}

const ignore = (): void => undefined
