/** Places of which there are only so many, and a line of those who wait for one: who came first is first. */
import { onAbort } from '../on-abort.ts'

export interface WaitingLine {
  /** Takes a place now or when it is one's turn; `false` when the line is full. */
  readonly enter: (signal: AbortSignal | undefined) => boolean | Promise<Entry>
  /** Gives a place to the next. */
  readonly leave: () => void
}

/** What came of waiting: a place, or the signal aborted first. */
export type Entry = 'entered' | 'aborted'

export const waitingLine = (places: number, longest: number): WaitingLine => {
  let taken = 0
  const line = new Set<() => void>()
  return {
    enter: (signal) => {
      if (taken < places) {
        taken++
        return true
      }
      if (line.size >= longest) return false
      return new Promise((resolve) => {
        const enter = (): void => {
          release()
          resolve('entered')
        }
        const release = onAbort(signal, () => {
          line.delete(enter)
          resolve('aborted')
        })
        line.add(enter)
      })
    },
    leave: () => {
      // a set keeps the order in which its members came
      for (const enter of line) {
        line.delete(enter)
        // the place stays taken, by somebody else
        return enter()
      }
      taken--
    },
  }
}
