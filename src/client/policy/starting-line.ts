/** A line of those who begin: so many of them in any time of a certain length. Who came first begins first. */
import { onAbort } from '../on-abort.ts'
import type { Clock } from './clock.ts'
import type { Entry } from './waiting-line.ts'

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
  const line = new Set<() => void>()
  let cancel: (() => void) | undefined
  const wait = (): number =>
    Math.max(0, begun.length < most ? 0 : (begun[first] ?? 0) + per - clock.now())
  const begin = (): void => {
    begun[first] = clock.now()
    first = (first + 1) % most
  }
  const ring = (): void => {
    cancel = undefined
    // a set keeps the order in which its members came
    for (const enter of line) {
      if (wait() > 0) break
      line.delete(enter)
      begin()
      enter()
    }
    // nobody waits for a timer that nobody needs
    if (line.size > 0) cancel = clock.after(Math.ceil(wait()), ring)
  }
  return {
    wait,
    enter: (signal) => {
      if (line.size === 0 && wait() === 0) {
        begin()
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
          if (line.size === 0) {
            cancel?.()
            cancel = undefined
          }
          resolve('aborted')
        })
        line.add(enter)
        cancel ??= clock.after(Math.ceil(wait()), ring)
      })
    },
  }
}
