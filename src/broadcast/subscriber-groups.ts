/** The subscribers of a broadcaster, grouped by the signal that ends them: a signal has one listener, not one for each of them. */
import type { Subscription } from './subscription.ts'

export class SubscriberGroups<A> {
  readonly #groups = new Map<AbortSignal | undefined, Group<A>>()

  get size(): number {
    let sum = 0
    for (const { members } of this.#groups.values()) sum += members.size
    return sum
  }

  /** Ends a subscription with the signal. */
  add(one: Subscription<A>, until: AbortSignal | undefined): void {
    if (until?.aborted === true) return one.end()
    const known = this.#groups.get(until)
    const group = known ?? { members: new Set(), end: () => this.#end(until) }
    group.members.add(one)
    if (known !== undefined) return
    this.#groups.set(until, group)
    until?.addEventListener('abort', group.end, { once: true })
  }

  delete(one: Subscription<A>, until: AbortSignal | undefined): void {
    const group = this.#groups.get(until)
    if (group?.members.delete(one) !== true || group.members.size > 0) return
    this.#groups.delete(until)
    until?.removeEventListener('abort', group.end)
  }

  offer(element: A): void {
    for (const { members } of this.#groups.values()) for (const one of members) one.offer(element)
  }

  /** Ends all subscriptions. */
  end(): void {
    for (const until of this.#groups.keys()) this.#end(until)
  }

  #end(until: AbortSignal | undefined): void {
    for (const one of this.#groups.get(until)?.members ?? []) one.end()
  }
}

interface Group<A> {
  readonly members: Set<Subscription<A>>
  readonly end: () => void
}
