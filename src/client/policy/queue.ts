/** Those who wait for their turn: who came first is first. */
import { Chain } from '../chain.ts'
import { onAbort } from '../on-abort.ts'

/** What came of waiting: one's turn, or the signal aborted first. */
export type Entry = 'entered' | 'aborted'

export class Queue {
  readonly #waiting = new Chain<() => void>()
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Waits for one's turn; `left` is run where the signal aborts before. */
  join(signal: AbortSignal | undefined, left = nothing): Promise<Entry> {
    return new Promise((resolve) => {
      const release = onAbort(signal, () => {
        this.#waiting.leave(link)
        this.#length--
        resolve('aborted')
        left()
      })
      const link = this.#waiting.join(() => {
        release()
        resolve('entered')
      })
      this.#length++
    })
  }

  /** Lets the first in; `false` where nobody waits. */
  next(): boolean {
    const { first } = this.#waiting
    if (first === undefined) return false
    this.#waiting.leave(first)
    this.#length--
    first.value()
    return true
  }
}

const nothing = (): void => undefined
