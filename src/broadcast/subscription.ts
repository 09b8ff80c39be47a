/**
 * A subscription: the bounded queue of one subscriber. A slow subscriber neither uses unbounded memory nor delays the publisher
 * or other subscribers.
 */

/** What happens if an element arrives while the queue is full: the subscription ends, or the oldest or the new element is dropped. */
export type WhenFull = 'end' | 'drop-oldest' | 'drop-newest'

interface QueueOptions {
  readonly maxQueued: number
  readonly whenFull: WhenFull
}

type Result<A> = IteratorResult<A, undefined>

export class Subscription<A> implements AsyncIterableIterator<A, undefined> {
  readonly #options: QueueOptions
  readonly #onEnd: (self: Subscription<A>) => void
  /** Past elements. They do not count toward the limit. */
  #replayed: A[]
  #queue: A[] = []
  #pendingReads: Array<(result: Result<A>) => void> = []
  #isEnded = false

  /** `onEnd` is called once, when no further elements are accepted. */
  constructor(
    replayed: ReadonlyArray<A>,
    options: QueueOptions,
    onEnd: (self: Subscription<A>) => void,
  ) {
    this.#replayed = [...replayed]
    this.#options = options
    this.#onEnd = onEnd
  }

  push(element: A): void {
    if (this.#isEnded) return
    const resolve = this.#pendingReads.shift()
    if (resolve !== undefined) return resolve({ done: false, value: element })
    if (this.#queue.length >= this.#options.maxQueued) {
      if (this.#options.whenFull === 'drop-newest') return
      if (this.#options.whenFull === 'end') return this.#cancel()
      this.#queue.shift()
    }
    this.#queue.push(element)
  }

  /** Ends the subscription after the elements in the queue. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#onEnd(this)
    for (const resolve of this.#pendingReads.splice(0)) resolve(done)
  }

  next(): Promise<Result<A>> {
    const elements = this.#replayed.length > 0 ? this.#replayed : this.#queue
    const [value] = elements
    if (value !== undefined) {
      elements.shift()
      return Promise.resolve({ done: false, value })
    }
    if (this.#isEnded) return Promise.resolve(done)
    return new Promise((resolve) => this.#pendingReads.push(resolve))
  }

  return(): Promise<Result<A>> {
    this.#cancel()
    return Promise.resolve(done)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Ends the subscription and drops its elements. */
  #cancel(): void {
    this.#replayed = []
    this.#queue = []
    this.end()
  }
}

const done = { done: true, value: undefined } as const
