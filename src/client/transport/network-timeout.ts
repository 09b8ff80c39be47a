/** Applies the `timeout` option of a client or a call to each network request. */
import type { ClientBody, ClientRequest, Passage } from '../exchange.ts'
import { withTimeLimit } from '../policy/timeout.ts'
import type { Clock, TimeLimit } from '../timer.ts'
import { resolveTimeLimit, systemClock } from '../timer.ts'

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

const ignore = (): void => undefined
