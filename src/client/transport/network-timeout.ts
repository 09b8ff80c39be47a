/** How long a client waits for the network, unless a call says otherwise. */
import type { ClientBody, ClientRequest, Passage } from '../exchange.ts'
import type { Clock } from '../policy/timer.ts'
import { system } from '../policy/timer.ts'
import type { Limit } from '../policy/limit.ts'
import { limitFor } from '../policy/limit.ts'
import { limiting } from '../policy/timeout.ts'

/**
 * The network under the limit of the client, or of the request that says another. While the source of a body in pieces is asked for
 * the next one, nobody waits for the network, and nothing counts. No signal of a caller gets to the network itself, which may
 * listen to it longer than to a call.
 */
export const timeLimited = (
  network: Passage,
  usual: Limit | undefined,
  clock: Clock = system,
): Passage => {
  const limited = limiting(usual)(network)
  const following = limiting(undefined)(network)
  return (request) => {
    const { body, signal } = request
    const limit = limitFor(request.timeout, usual, clock)
    if (limit === undefined) return signal === undefined ? network(request) : following(request)
    if (body?._tag === 'Pieces') return besideItsSource(limit, network, request, body, clock)
    return limit === usual ? limited(request) : limiting(limit)(network)(request)
  }
}

const besideItsSource =
  (
    limit: Limit,
    network: Passage,
    request: ClientRequest,
    { open }: Extract<ClientBody, { readonly _tag: 'Pieces' }>,
    clock: Clock,
  ): ReturnType<Passage> =>
  () => {
    const timer = new Timer(clock)
    const body: ClientBody = { _tag: 'Pieces', open: () => resting(open(), timer) }
    const after = (run: () => void): (() => void) => timer.after(limit.milliseconds, run)
    return limiting({ ...limit, after })(network)({ ...request, body })()
  }

/** One timer, which begins anew behind every rest. */
class Timer {
  readonly #clock: Clock
  #begin: (() => () => void) | undefined = undefined
  #cancel = (): void => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  readonly after: Clock['after'] = (milliseconds, run) => {
    const over = (): void => {
      this.#begin = undefined
      this.rest()
    }
    this.#begin = () =>
      this.#clock.after(milliseconds, () => {
        over()
        run()
      })
    this.goOn()
    return over
  }

  rest(): void {
    this.#cancel()
    this.#cancel = () => undefined
  }

  goOn(): void {
    this.rest()
    if (this.#begin !== undefined) this.#cancel = this.#begin()
  }
}

/** The same pieces; the timer rests as long as one is waited for. */
const resting = (pieces: AsyncIterable<Uint8Array>, timer: Timer): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const source = pieces[Symbol.asyncIterator]()
    return {
      next: async () => {
        timer.rest()
        try {
          return await source.next()
        } finally {
          timer.goOn()
        }
      },
      return: async () => (await source.return?.()) ?? { done: true, value: undefined },
    }
  },
})
