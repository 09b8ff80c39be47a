/** Coming back to an event stream that has ended or broken off. */
import * as E from 'fp-ts/lib/Either.js'
import type { Duration } from '../../endpoint/limits.ts'
import { millisOf } from '../policy/duration.ts'

/** How a client comes back. */
export interface Reconnect {
  /** Tries in a row after which it gives up, if no event has come between them; without end by default. */
  readonly times?: number
  /** The wait before a try, until the stream says another time; `3s` by default. */
  readonly delay?: Duration
}

/** Milliseconds before the first try, or in words what is wrong with how a client comes back. */
export const delayOf = (reconnect: Reconnect | undefined): E.Either<string, number> => {
  if (reconnect === undefined) return usual
  if (typeof reconnect !== 'object') return E.left('has to be an object')
  const { times = Infinity, delay } = reconnect
  if (!(times >= 0)) return E.left('reconnect.times is a number of 0 or more')
  if (delay === undefined) return usual
  return E.tryCatch(
    () => millisOf('reconnect.delay', delay),
    (error) => (error instanceof Error ? error.message : String(error)),
  )
}

const usual: E.Either<string, number> = E.right(3000)

/** The longest time of a timer, in milliseconds; a longer one would be none. */
const longest = 2 ** 31 - 1

const nothing = (): void => undefined

/** Waits; `stop` ends the wait at once. */
export const waiting = (
  delay: number,
): { readonly over: Promise<void>; readonly stop: () => void } => {
  let stop = nothing
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(delay, longest))
    stop = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  return { over, stop }
}
