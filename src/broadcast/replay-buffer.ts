/** The latest events of a broadcaster, for clients that come back. */
import type { Event } from '../endpoint/sse.ts'

export class ReplayBuffer<A> {
  readonly #most: number
  readonly #events: Array<Event<A>> = []

  constructor(most: number) {
    this.#most = most
  }

  add(event: Event<A>): void {
    if (this.#events.push(event) > this.#most) this.#events.shift()
  }

  /** What came behind an event. One that is not known is older than all that are kept. */
  since(id: string): ReadonlyArray<Event<A>> {
    return this.#events.slice(this.#events.findLastIndex((event) => event.id === id) + 1)
  }
}
