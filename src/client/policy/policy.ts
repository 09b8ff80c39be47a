/**
 * Provides the building blocks for policies: functions that create and order policies, discard responses, and follow
 * abort signals.
 */
import type { Either } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import { parseUrl } from '../../http/host.ts'
import type { ClientError, Aborted } from '../client-error.ts'
import type { ClientRequest, ClientResponse, Passage, Policy } from '../exchange.ts'
import { defectError, abortedError } from '../error-factories.ts'
import { cancel } from '../response/read-body.ts'
import { onAbort } from './timer.ts'

const defaultPriority = 5000

/**
 * Creates a policy. If the policy throws an exception or returns a promise that rejects, the call fails with a
 * `Defect`. A policy therefore never makes a call reject. Throws a `RangeError` if `priority` is `NaN`.
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
 * Whether a value is a policy. This check finds policy functions that were passed without being called: `retry({ times:
 * 2 })` is a policy, but `retry` is not.
 */
export const isPolicy = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  value._tag === 'Policy' &&
  'around' in value &&
  typeof value.around === 'function'

/**
 * Wraps a passage in policies. The policies with the lowest `priority` values are outermost. Policies with equal values
 * keep their order.
 */
export const applyPolicies = (policies: ReadonlyArray<Policy>, passage: Passage): Passage =>
  policies.length === 0
    ? passage
    : policies
        .toSorted((a, b) => (a.priority ?? defaultPriority) - (b.priority ?? defaultPriority))
        .reduceRight((next, { around }) => around(next), passage)

/** The result of a request: a response with any status, or an error. */
export type SendResult = Either<ClientError, ClientResponse>

/** Decides whether a policy applies to the result of a request. */
export type Judge = (result: SendResult, request: ClientRequest) => boolean

/** Wraps a predicate from the application so that the response is discarded if the predicate throws an exception. */
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

/** Cancels the response body in a result, which frees the connection. */
export const discardResponse = (result: SendResult): void => {
  if (E.isRight(result)) cancel(result.right.body)
}

/** Discards a result that was replaced, unless the replacement has the same response body. */
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
 * The return value of an application function that replaces a response.
 *
 * The function returns a response or a `SendResult`, or `undefined` if `N` permits it. The return value may be a plain
 * value, a promise, a `Task` or a `TaskEither`.
 */
export type Returned<N = never> =
  | ClientResponse
  | SendResult
  | N
  | Promise<ClientResponse | SendResult | N>
  | (() => Promise<ClientResponse | SendResult | N>)

/** Resolves the return value of an application function. A plain response becomes a `Right`. */
export const resolveReturned = async <N extends undefined = never>(
  returned: Returned<N>,
): Promise<SendResult | N> => {
  const value = await (typeof returned === 'function' ? returned() : returned)
  return value === undefined || '_tag' in value ? value : E.right(value)
}

/** Returns the origin (scheme, host and port) of an absolute URL. Returns an invalid URL unchanged. */
export const originOf = (url: string): string => parseUrl(url)?.origin ?? url

/** A signal that follows another signal and can also be aborted on its own. */
export interface LinkedSignal {
  /** Aborts when the parent aborts, and when `abort` is called. */
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** Stops following the parent. */
  readonly release: () => void
}

/**
 * Creates a signal that follows `parent` until the signal is released. `onParentAbort` is called after the signal has
 * aborted.
 *
 * A signal from `AbortSignal.any` cannot be released. It follows its parents until it is garbage-collected.
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
 * Waits for a promise from an application function until the caller aborts the request.
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
