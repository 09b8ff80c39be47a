/** A line of those who begin: so many of them in any time of a certain length. */
import type { Clock } from './timer.ts'
import type { Entry } from './queue.ts'
import { Queue } from './queue.ts'

export interface StartingLine {
  /** Begins now or when it is one's turn; `false` when the line is full. */
  readonly enter: (signal: AbortSignal | undefined) => boolean | Promise<Entry>
  /** Milliseconds until the next of all may begin. */
  readonly wait: () => number
}

export const startingLine = (
  { most, per, longest }: { readonly most: number; readonly per: number; readonly longest: number },
  clock: Clock,
): StartingLine => {
  /** When the last of them began, as many as may in that time; the next one takes the place of the first. */
  const begun: number[] = []
  let first = 0
  const queue = new Queue()
  let cancel: (() => void) | undefined
  const wait = (): number =>
    Math.max(0, begun.length < most ? 0 : (begun[first] ?? 0) + per - clock.now())
  const begin = (): void => {
    begun[first] = clock.now()
    first = (first + 1) % most
  }
  const ring = (): void => {
    cancel = undefined
    while (wait() === 0 && queue.next()) begin()
    ringLater()
  }
  /** Nobody waits for a timer that nobody needs. */
  const ringLater = (): void => {
    if (queue.length > 0) cancel ??= clock.after(Math.ceil(wait()), ring)
    else {
      cancel?.()
      cancel = undefined
    }
  }
  return {
    wait,
    enter: (signal) => {
      if (queue.length === 0 && wait() === 0) {
        begin()
        return true
      }
      if (queue.length >= longest) return false
      const entry = queue.join(signal, ringLater)
      ringLater()
      return entry
    },
  }
}
