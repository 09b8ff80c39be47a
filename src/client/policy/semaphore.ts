/** Places of which there are only so many, and a line of those who wait for one. */
import type { Entry } from './queue.ts'
import { Queue } from './queue.ts'

export interface WaitingLine {
  /** Takes a place now or when it is one's turn; `false` when the line is full. */
  readonly enter: (signal: AbortSignal | undefined) => boolean | Promise<Entry>
  /** Gives a place to the next. */
  readonly leave: () => void
}

export const waitingLine = (places: number, longest: number): WaitingLine => {
  let taken = 0
  const queue = new Queue()
  return {
    enter: (signal) => {
      if (taken < places) {
        taken++
        return true
      }
      return queue.length < longest && queue.join(signal)
    },
    leave: () => {
      // the place stays taken, by somebody else
      if (!queue.next()) taken--
    },
  }
}
