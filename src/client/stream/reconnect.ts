/** Coming back to an event stream that has ended or broken off. */

/** How a client comes back. */
export interface Reconnect {
  /** Tries in a row after which it gives up, if no event has come between them; without end by default. */
  readonly times?: number
  /** Milliseconds before a try, until the stream says another time; 3000 by default. */
  readonly delay?: number
}

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
