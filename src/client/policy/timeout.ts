/** Aborts requests that exceed a time limit: the `timeout` policy, and the `timeout` option of a client or a call. */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { CheckedDuration, Duration } from '../../endpoint/limits.ts'
import type { ClientRequest, Policy, ClientBody, Passage } from '../exchange.ts'
import type { ClientError } from '../client-error.ts'
import { abortedError, responseTimeout } from '../error-factories.ts'
import type { ObservedBody } from './observe-body.ts'
import { observeBody } from './observe-body.ts'
import type { SendResult } from './policy.ts'
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
      const { signal } = request
      if (signal?.aborted === true) return resolve(E.left(abortedError(request)))
      let state: 'pending' | 'settled' | 'abandoned' = 'pending'
      let observed: ObservedBody | undefined
      const abandon = (error: ClientError): void => {
        state = 'abandoned'
        resolve(E.left(error))
      }
      const linked = linkSignal(signal, () => {
        // settles the call even if the transport ignores the abort signal
        if (state !== 'pending') return
        release()
        abandon(abortedError(request))
      })
      const cancelTimer = limit?.after(() => {
        const error = responseTimeout(request, limit.text)
        abandon(error)
        observed?.abort(error)
        linked.abort(error)
        linked.release()
      })
      const release = (): void => {
        cancelTimer?.()
        linked.release()
      }
      const settle = (result: SendResult): void => {
        if (state === 'abandoned') return discardResponse(result)
        state = 'settled'
        if (covers === 'head') cancelTimer?.()
        // reading `body` opens a stream, so it is read only if the body must be observed
        const isObserved = covers === 'body' || signal !== undefined
        const body = isObserved && E.isRight(result) ? result.right.body : null
        if (E.isLeft(result) || body === null) {
          release()
          return resolve(result)
        }
        observed = observeBody(body, { onEnd: release })
        resolve(E.right({ ...result.right, body: observed.body }))
      }
      const send = async (): Promise<SendResult> => next({ ...request, signal: linked.signal })()
      send().then(settle, (error: unknown) => {
        release()
        reject(error)
      })
    })

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
    if (body?._tag === 'Streamed') return sendStreamed(limit, transport, request, body.open)
    return limit === defaultLimit
      ? withDefaultLimit(request)
      : withTimeLimit(limit)(transport)(request)
  }
}

/** Sends a streamed body. The timer restarts from zero after each read from the source. */
const sendStreamed =
  (
    limit: TimeLimit,
    transport: Passage,
    request: ClientRequest,
    open: () => AsyncIterable<Uint8Array>,
  ): ReturnType<Passage> =>
  () => {
    let pause = ignore
    let restart = ignore
    const after: TimeLimit['after'] = (run) => {
      let cancel = ignore
      const stop = (): void => {
        restart = ignore
        cancel()
      }
      pause = () => cancel()
      restart = () => {
        cancel()
        cancel = limit.after(() => {
          stop()
          run()
        })
      }
      restart()
      return stop
    }
    const openPausing = (): AsyncIterable<Uint8Array> => ({
      [Symbol.asyncIterator]: () => {
        const source = open()[Symbol.asyncIterator]()
        return {
          next: async () => {
            pause()
            try {
              return await source.next()
            } finally {
              restart()
            }
          },
          return: async () => (await source.return?.()) ?? { done: true, value: undefined },
        }
      },
    })
    const body: ClientBody = { _tag: 'Streamed', open: openPausing }
    return withTimeLimit({ ...limit, after })(transport)({ ...request, body })()
  }

const ignore = (): void => undefined
