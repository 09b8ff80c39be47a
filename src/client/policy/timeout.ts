/** Calls that do not wait for ever. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Policy } from '../exchange.ts'
import type { Aborting } from './aborting.ts'
import { following } from './aborting.ts'
import type { Clock } from './timer.ts'
import { system } from './timer.ts'
import type { Duration } from '../../endpoint/limits.ts'
import { aborted, timedOut } from './failing.ts'
import type { Limit } from './limit.ts'
import { frequent, limitOf } from './limit.ts'
import type { Outcome } from './outcome.ts'
import { discard } from './outcome.ts'
import type { LightSignal } from '../light-signal.ts'
import { signalled } from '../light-signal.ts'
import { policy } from './policy.ts'
import type { Watched } from '../stream/observe-body.ts'
import { watched } from '../stream/observe-body.ts'

export interface TimeoutOptions {
  /**
   * What has to be there in time: the `head` of the response, which is what is waited for unless it is said, or all of its
   * `content`.
   */
  readonly covers?: 'head' | 'content'
  /** The system's unless it is said. */
  readonly clock?: Clock
}

/**
 * Gives `TimedOut` where a response is not there in time, and aborts the request. Around a `retry` it bounds all tries
 * together with the waits between them, within it each of them. Content that comes too late breaks off with that error. Throws a
 * `RangeError` for what is no duration, or none at all.
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
 * const hasty = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [timeout('20ms')],
 * })
 * const answer = await hasty.slow()()
 *
 * assert.ok(E.isLeft(answer) && answer.left._tag === 'TimedOut')
 * ```
 */
export const timeout = (
  duration: Duration,
  { covers = 'head', clock = system }: TimeoutOptions = {},
): Policy => {
  const limit = limitOf(duration, clock)
  return policy((next) => limiting(clock === system ? frequent(limit) : limit, covers)(next))
}

/** Without a limit it only follows the signal of a request, so that whoever sends it has one that is this request's alone. */
export const limiting =
  (limit: Limit | undefined, covers: 'head' | 'content' = 'head'): Policy['around'] =>
  (next) =>
  (request) =>
  () =>
    new Promise((resolve, reject) => {
      if (request.signal?.aborted === true) return resolve(E.left(aborted(request)))
      const one = new Limited(request, covers, resolve)
      if (limit !== undefined) one.cancel = limit.after(() => one.expire(limit))
      const failed = (error: unknown): void => {
        one.end()
        reject(error)
      }
      try {
        next(signalled(request, one.signal))().then((outcome) => one.settle(outcome), failed)
      } catch (error) {
        failed(error)
      }
    })

/** A request that may take so long. One object instead of a function for each of its steps. */
class Limited {
  readonly #request: ClientRequest
  readonly #covers: 'head' | 'content'
  readonly #resolve: (outcome: Outcome) => void
  readonly #aborting: Aborting
  /** Prevents that it expires. */
  cancel = nothing
  #isLate = false
  #isSettled = false
  #content: Watched | undefined = undefined

  constructor(
    request: ClientRequest,
    covers: 'head' | 'content',
    resolve: (outcome: Outcome) => void,
  ) {
    this.#request = request
    this.#covers = covers
    this.#resolve = resolve
    this.#aborting = following(
      request.signal,
      request.signal === undefined ? undefined : () => this.#leave(),
    )
  }

  get signal(): LightSignal {
    return this.#aborting.signal
  }

  end(): void {
    this.cancel()
    this.#aborting.release()
  }

  settle(outcome: Outcome): void {
    if (this.#isLate) return discard(outcome)
    this.#isSettled = true
    if (this.#covers === 'head') this.cancel()
    const isWatched = this.#covers === 'content' || this.#request.signal !== undefined
    // who asks for a body makes a stream of it
    const body = isWatched && E.isRight(outcome) ? outcome.right.body : null
    if (E.isLeft(outcome) || body === null) {
      this.end()
      return this.#resolve(outcome)
    }
    this.#content = watched(body, { over: () => this.end() })
    this.#resolve(E.right({ ...outcome.right, body: this.#content.body }))
  }

  /** Whoever aborts waits for nobody, a network that does not listen to its signal included. */
  #leave(): void {
    if (this.#isSettled || this.#isLate) return
    this.#isLate = true
    this.end()
    this.#resolve(E.left(aborted(this.#request)))
  }

  expire({ text }: Limit): void {
    this.#isLate = true
    const failure = timedOut(this.#request, text)
    this.#resolve(E.left(failure))
    this.#content?.break(failure)
    this.#aborting.abort(failure)
    this.#aborting.release()
  }
}

const nothing = (): void => undefined
