/** How long a client waits for the network, unless a call says otherwise. */
import type { ClientBody, ClientRequest, Passage } from '../exchange.ts'
import type { Clock } from './clock.ts'
import { system } from './clock.ts'
import type { Duration } from './duration.ts'
import { timeout } from './timeout.ts'

/**
 * `usual` is the network under the limit of the client, for requests that say nothing else. While the source of a body in pieces is
 * asked for the next one, nobody waits for the network, and nothing counts.
 */
export const timeLimited =
  (
    usual: Passage,
    network: Passage,
    limit: Duration | false = '30s',
    clock: Clock = system,
  ): Passage =>
  (request) => {
    const { body, timeout: own = limit } = request
    if (own === false) return network(request)
    if (body?._tag === 'Pieces') return besideItsSource(own, network, request, body, clock)
    return request.timeout === undefined
      ? usual(request)
      : timeout(own, { clock }).around(network)(request)
  }

const besideItsSource =
  (
    limit: Duration,
    network: Passage,
    request: ClientRequest,
    { open }: Extract<ClientBody, { readonly _tag: 'Pieces' }>,
    clock: Clock,
  ): ReturnType<Passage> =>
  () => {
    const timer = new Timer(clock)
    const body: ClientBody = { _tag: 'Pieces', open: () => resting(open(), timer) }
    return timeout(limit, { clock: timer }).around(network)({ ...request, body })()
  }

/** A clock with one timer, which begins anew behind every rest. */
class Timer implements Clock {
  readonly now: Clock['now']
  readonly #clock: Clock
  #begin: (() => () => void) | undefined = undefined
  #cancel = (): void => undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.now = clock.now
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
