/** Aborts requests that exceed a time limit. */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { CheckedDuration, Duration } from '../../endpoint/limits.ts'
import type { ClientRequest, Policy } from '../exchange.ts'
import { abortedError, responseTimeout } from '../error-factories.ts'
import type { ObservedBody } from './observe-body.ts'
import { observeBody } from './observe-body.ts'
import type { LinkedSignal, SendResult } from './policy.ts'
import { linkSignal, createPolicy, discardResponse } from './policy.ts'
import type { Clock, TimeLimit } from '../timer.ts'
import { createTimeLimit, systemClock } from '../timer.ts'

/** Options for `timeout`. */
export interface TimeoutOptions {
  /**
   * Part of the response that must arrive in time: `head` for the status and headers, or `body` for the complete
   * response. Default: `head`.
   */
  readonly covers?: 'head' | 'body'
  /** Clock used to read the time and set timers. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Aborts a request if its response does not arrive in time. The call then fails with `TimedOut`.
 *
 * Place this policy outside `retry` to limit the total time of all attempts and the delays between them. Place it
 * inside `retry` to limit each attempt. If the limit covers the body and expires while the body is being read, reading
 * fails with `TimedOut`. Throws a `RangeError` if the duration is invalid or 0.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, timeout } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const slow = pipe(
 *   path('/slow'),
 *   get(),
 *   produces(text),
 *   handle(() => new Promise<string>(() => undefined)),
 * )
 * const api = routes({ slow })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [timeout('20ms')],
 * })
 * const result = await service.slow()()
 *
 * assert.ok(E.isLeft(result) && result.left._tag === 'TimedOut')
 * ```
 */
export const timeout = <const D extends Duration>(
  duration: CheckedDuration<D>,
  options: TimeoutOptions = {},
): Policy => {
  const { covers = 'head', clock = systemClock } = checkOptions(
    'timeout',
    ['covers', 'clock'],
    options,
  )
  const limit = createTimeLimit(duration, clock)
  return createPolicy(withTimeLimit(limit, covers))
}

/**
 * Creates the `around` function of a policy that limits the duration of each request. Each request receives its own
 * signal, which is aborted when the caller's signal is aborted or the limit expires.
 */
export const withTimeLimit =
  (limit: TimeLimit | undefined, covers: 'head' | 'body' = 'head'): Policy['around'] =>
  (next) =>
  (request) =>
  () =>
    new Promise((resolve, reject) => {
      if (request.signal?.aborted === true) return resolve(E.left(abortedError(request)))
      const limited = new LimitedRequest(request, covers, resolve)
      if (limit !== undefined) limited.cancelTimer = limit.after(() => limited.expire(limit))
      const onError = (error: unknown): void => {
        limited.release()
        reject(error)
      }
      try {
        next({ ...request, signal: limited.signal })().then(
          (result) => limited.settle(result),
          onError,
        )
      } catch (error) {
        onError(error)
      }
    })

/** A request with a time limit. */
class LimitedRequest {
  readonly #request: ClientRequest
  readonly #covers: 'head' | 'body'
  readonly #resolve: (result: SendResult) => void
  readonly #linked: LinkedSignal
  cancelTimer = ignore
  /** Whether the request has timed out or has been aborted by the caller. */
  #isAbandoned = false
  #isSettled = false
  #body: ObservedBody | undefined = undefined

  constructor(
    request: ClientRequest,
    covers: 'head' | 'body',
    resolve: (result: SendResult) => void,
  ) {
    this.#request = request
    this.#covers = covers
    this.#resolve = resolve
    this.#linked = linkSignal(
      request.signal,
      request.signal === undefined ? undefined : () => this.#abandon(),
    )
  }

  get signal(): AbortSignal {
    return this.#linked.signal
  }

  /** Cancels the timer and stops following the caller's signal. */
  release(): void {
    this.cancelTimer()
    this.#linked.release()
  }

  settle(result: SendResult): void {
    if (this.#isAbandoned) return discardResponse(result)
    this.#isSettled = true
    if (this.#covers === 'head') this.cancelTimer()
    // reading `body` opens a stream, so it is read only if the body must be observed
    const isObserved = this.#covers === 'body' || this.#request.signal !== undefined
    const body = isObserved && E.isRight(result) ? result.right.body : null
    if (E.isLeft(result) || body === null) {
      this.release()
      return this.#resolve(result)
    }
    this.#body = observeBody(body, { onEnd: () => this.release() })
    this.#resolve(E.right({ ...result.right, body: this.#body.body }))
  }

  expire({ text }: TimeLimit): void {
    this.#isAbandoned = true
    const error = responseTimeout(this.#request, text)
    this.#resolve(E.left(error))
    this.#body?.abort(error)
    this.#linked.abort(error)
    this.#linked.release()
  }

  /** Settles the call when the caller aborts it, even if the transport ignores the abort signal. */
  #abandon(): void {
    if (this.#isSettled || this.#isAbandoned) return
    this.#isAbandoned = true
    this.release()
    this.#resolve(E.left(abortedError(this.#request)))
  }
}

const ignore = (): void => undefined
