/** Aborts requests that exceed a time limit: the `timeout` policy, and the `timeout` option of a client or a call. */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { CheckedDuration, Duration } from '../../endpoint/limits.ts'
import type { ClientRequest, Policy, ClientBody, Passage } from '../exchange.ts'
import { abortedError, responseTimeout } from '../error-factories.ts'
import type { ObservedBody } from './observe-body.ts'
import { observeBody } from './observe-body.ts'
import type { LinkedSignal, SendResult } from './policy.ts'
import { linkSignal, createPolicy, discardResponse } from './policy.ts'
import type { Clock, TimeLimit } from '../timer.ts'
import { createTimeLimit, systemClock, resolveTimeLimit } from '../timer.ts'

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

/**
 * Wraps a transport to add a time limit. If the `timeout` of a request is set, it replaces `defaultLimit`.
 *
 * The timer is paused while the source of a streamed body is producing the next chunk, because the client is not
 * waiting for the network. The transport never receives the caller's own signal, because the transport might keep a
 * listener on the signal after the request has ended.
 */
export const withNetworkTimeout = (
  transport: Passage,
  defaultLimit: TimeLimit | undefined,
  clock: Clock = systemClock,
): Passage => {
  const withDefaultLimit = withTimeLimit(defaultLimit)(transport)
  const withoutLimit = withTimeLimit(undefined)(transport)
  return (request) => {
    const { body, signal } = request
    const limit = resolveTimeLimit(request.timeout, defaultLimit, clock)
    if (limit === undefined)
      return signal === undefined ? transport(request) : withoutLimit(request)
    if (body?._tag === 'Streamed') return sendStreamed(limit, transport, request, body, clock)
    return limit === defaultLimit
      ? withDefaultLimit(request)
      : withTimeLimit(limit)(transport)(request)
  }
}

const sendStreamed =
  (
    limit: TimeLimit,
    transport: Passage,
    request: ClientRequest,
    { open }: Extract<ClientBody, { readonly _tag: 'Streamed' }>,
    clock: Clock,
  ): ReturnType<Passage> =>
  () => {
    const timer = new PausableTimer(clock)
    const body: ClientBody = { _tag: 'Streamed', open: () => pauseWhileReading(open(), timer) }
    const after = (run: () => void): (() => void) => timer.after(limit.milliseconds, run)
    return withTimeLimit({ ...limit, after })(transport)({ ...request, body })()
  }

/** A timer that restarts from zero after each pause. */
class PausableTimer {
  readonly #clock: Clock
  #start: (() => () => void) | undefined = undefined
  #cancel = ignore

  constructor(clock: Clock) {
    this.#clock = clock
  }

  readonly after: Clock['after'] = (milliseconds, run) => {
    const stop = (): void => {
      this.#start = undefined
      this.pause()
    }
    this.#start = () =>
      this.#clock.after(milliseconds, () => {
        stop()
        run()
      })
    this.restart()
    return stop
  }

  pause(): void {
    this.#cancel()
    this.#cancel = ignore
  }

  restart(): void {
    this.pause()
    if (this.#start !== undefined) this.#cancel = this.#start()
  }
}

/** Wraps the source of a request body so that the timer is paused while a chunk is being read from the source. */
const pauseWhileReading = (
  chunks: AsyncIterable<Uint8Array>,
  timer: PausableTimer,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const source = chunks[Symbol.asyncIterator]()
    return {
      next: async () => {
        timer.pause()
        try {
          return await source.next()
        } finally {
          timer.restart()
        }
      },
      return: async () => (await source.return?.()) ?? { done: true, value: undefined },
    }
  },
})
