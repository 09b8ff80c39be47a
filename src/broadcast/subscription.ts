/**
 * Bounded event queues, one for each subscriber. A slow subscriber therefore neither uses unbounded memory nor delays
 * the publisher or other subscribers.
 */

/**
 * What happens when an element arrives while the queue is full. With `end`, the subscription ends and the queue is
 * discarded. Otherwise, either the oldest or the new element is dropped.
 */
export type WhenFull = 'end' | 'drop-oldest' | 'drop-newest'

interface QueueOptions {
  readonly maxQueued: number
  readonly whenFull: WhenFull
}

type Result<A> = IteratorResult<A, undefined>

interface PendingRead<A> {
  readonly resolve: (result: Result<A>) => void
  readonly reject: (error: unknown) => void
}

/**
 * The event queue of a subscriber, as an async iterator. A subscription begins with past elements, which `replay` adds. New elements
 * wait in the queue until `endReplay` is called.
 */
export class Subscription<A> implements AsyncIterableIterator<A> {
  readonly #options: QueueOptions
  readonly #onEnd: (self: Subscription<A>) => void
  /** Past elements. They do not count toward `maxQueued`. */
  #replayed: A[] = []
  #queue: A[] = []
  #pendingReads: Array<PendingRead<A>> = []
  #isReplaying = true
  #isRepeated: ((element: A) => boolean) | undefined
  #isEnded = false
  #failure: { readonly error: unknown } | undefined

  /** Creates a subscription. `onEnd` is called once, when the subscription stops accepting elements. */
  constructor(options: QueueOptions, onEnd: (self: Subscription<A>) => void) {
    this.#options = options
    this.#onEnd = onEnd
  }

  /** Adds a past element. */
  replay(element: A): void {
    if (!this.#isEnded && !this.#passToReader(element)) this.#replayed.push(element)
  }

  /** Continues with new elements. Drops the first of them for which `isRepeated` returns `true`. */
  endReplay(isRepeated?: (element: A) => boolean): void {
    this.#isReplaying = false
    this.#isRepeated = isRepeated
    for (const element of this.#queue.splice(0)) this.push(element)
  }

  push(element: A): void {
    if (this.#isEnded) return
    if (!this.#isReplaying) {
      if (this.#isRepeated?.(element) === true) return
      this.#isRepeated = undefined
      if (this.#passToReader(element)) return
    }
    if (this.#queue.length >= this.#options.maxQueued) {
      if (this.#options.whenFull === 'drop-newest') return
      if (this.#options.whenFull === 'end') return this.#cancel()
      this.#queue.shift()
    }
    this.#queue.push(element)
  }

  /**
   * Stops accepting elements. The subscription ends after the past elements and those in the queue have been read. If the past elements
   * are incomplete, the queue is discarded.
   */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    if (this.#isReplaying) this.#queue = []
    this.#onEnd(this)
    for (const { resolve } of this.#pendingReads.splice(0)) resolve(done)
  }

  /** Ends the subscription immediately. The next read rejects with the error. */
  fail(error: unknown): void {
    if (this.#isEnded) return
    const [pending] = this.#pendingReads.splice(0, 1)
    if (pending === undefined) this.#failure = { error }
    else pending.reject(error)
    this.#cancel()
  }

  next(): Promise<Result<A>> {
    const elements =
      this.#replayed.length > 0 ? this.#replayed : this.#isReplaying ? [] : this.#queue
    const [value] = elements
    if (value !== undefined) {
      elements.shift()
      return Promise.resolve({ done: false, value })
    }
    if (this.#failure !== undefined) {
      const { error } = this.#failure
      this.#failure = undefined
      return Promise.reject(error)
    }
    if (this.#isEnded) return Promise.resolve(done)
    return new Promise((resolve, reject) => this.#pendingReads.push({ resolve, reject }))
  }

  return(): Promise<Result<A>> {
    this.#failure = undefined
    this.#cancel()
    return Promise.resolve(done)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Passes an element to a pending read. Returns `false` if there is none. */
  #passToReader(value: A): boolean {
    const pending = this.#pendingReads.shift()
    pending?.resolve({ done: false, value })
    return pending !== undefined
  }

  /** Ends the subscription immediately and discards the elements in the queue. */
  #cancel(): void {
    this.#replayed = []
    this.#queue = []
    this.end()
  }
}

const done = { done: true, value: undefined } as const

/** The subscriptions to a broadcaster, grouped by the signal that ends them. */
export class SubscriberGroups<A> {
  readonly #groups = new Map<AbortSignal | undefined, Group<A>>()

  get size(): number {
    let sum = 0
    for (const { members } of this.#groups.values()) sum += members.size
    return sum
  }

  /** Adds a subscription, which ends when `signal` is aborted. */
  add(subscription: Subscription<A>, signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) return subscription.end()
    const existing = this.#groups.get(signal)
    const group = existing ?? { members: new Set(), onAbort: () => this.#end(signal) }
    group.members.add(subscription)
    if (existing !== undefined) return
    this.#groups.set(signal, group)
    signal?.addEventListener('abort', group.onAbort, { once: true })
  }

  delete(subscription: Subscription<A>, signal: AbortSignal | undefined): void {
    const group = this.#groups.get(signal)
    if (group?.members.delete(subscription) !== true || group.members.size > 0) return
    this.#groups.delete(signal)
    signal?.removeEventListener('abort', group.onAbort)
  }

  push(element: A): void {
    for (const { members } of this.#groups.values())
      for (const subscription of members) subscription.push(element)
  }

  end(): void {
    for (const signal of this.#groups.keys()) this.#end(signal)
  }

  fail(error: unknown): void {
    for (const { members } of this.#groups.values())
      for (const subscription of members) subscription.fail(error)
  }

  #end(signal: AbortSignal | undefined): void {
    for (const subscription of this.#groups.get(signal)?.members ?? []) subscription.end()
  }
}

interface Group<A> {
  readonly members: Set<Subscription<A>>
  readonly onAbort: () => void
}
