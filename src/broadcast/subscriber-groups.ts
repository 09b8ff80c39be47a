/** The subscriptions of a broadcaster, grouped by the abort signal that ends them, so that each signal has one listener. */
import type { Subscription } from './subscription.ts'

export class SubscriberGroups<A> {
  readonly #groups = new Map<AbortSignal | undefined, Group<A>>()

  get size(): number {
    let sum = 0
    for (const { members } of this.#groups.values()) sum += members.size
    return sum
  }

  /** Adds a subscription, which ends when the signal aborts. */
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

  /** Pushes an element to all subscriptions. */
  push(element: A): void {
    for (const { members } of this.#groups.values())
      for (const subscription of members) subscription.push(element)
  }

  /** Ends all subscriptions. */
  end(): void {
    for (const signal of this.#groups.keys()) this.#end(signal)
  }

  #end(signal: AbortSignal | undefined): void {
    for (const subscription of this.#groups.get(signal)?.members ?? []) subscription.end()
  }
}

interface Group<A> {
  readonly members: Set<Subscription<A>>
  readonly onAbort: () => void
}
