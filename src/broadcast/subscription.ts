/**
 * What waits for one subscriber. It is bounded, so that a subscriber who does not keep up costs no memory, and holds up neither
 * the publisher nor the others.
 */

/**
 * What happens when an element comes for which there is no room: the subscription ends, the one that has waited longest makes
 * room, or the new one is dropped.
 */
export type WhenFull = 'end' | 'drop-oldest' | 'drop-newest'

interface Bounds {
  readonly most: number
  readonly whenFull: WhenFull
}

type Step<A> = IteratorResult<A, undefined>

export class Subscription<A> implements AsyncIterableIterator<A, undefined> {
  readonly #bounds: Bounds
  readonly #left: (self: Subscription<A>) => void
  /** What came before the subscription, which does not count as waiting. */
  #earlier: A[]
  #waiting: A[] = []
  #asking: Array<(step: Step<A>) => void> = []
  #isOver = false

  /** `left` is told once, when there is nothing more to give to it. */
  constructor(earlier: ReadonlyArray<A>, bounds: Bounds, left: (self: Subscription<A>) => void) {
    this.#earlier = [...earlier]
    this.#bounds = bounds
    this.#left = left
  }

  offer(element: A): void {
    if (this.#isOver) return
    const asking = this.#asking.shift()
    if (asking !== undefined) return asking({ done: false, value: element })
    if (this.#waiting.length >= this.#bounds.most) {
      if (this.#bounds.whenFull === 'drop-newest') return
      if (this.#bounds.whenFull === 'end') return this.#drop()
      this.#waiting.shift()
    }
    this.#waiting.push(element)
  }

  /** Nothing more will come; what waits is still given. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#left(this)
    for (const asking of this.#asking.splice(0)) asking(over)
  }

  next(): Promise<Step<A>> {
    const from = this.#earlier.length > 0 ? this.#earlier : this.#waiting
    const [value] = from
    if (value !== undefined) {
      from.shift()
      return Promise.resolve({ done: false, value })
    }
    if (this.#isOver) return Promise.resolve(over)
    return new Promise((resolve) => this.#asking.push(resolve))
  }

  return(): Promise<Step<A>> {
    this.#drop()
    return Promise.resolve(over)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #drop(): void {
    this.#earlier = []
    this.#waiting = []
    this.end()
  }
}

const over = { done: true, value: undefined } as const
