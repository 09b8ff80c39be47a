/**
 * Those who follow a signal, with one listener for all of them: a program has one signal for many calls, and Node warns of a leak
 * where a signal has more than ten listeners.
 */

interface Followers {
  readonly runs: Set<() => void>
  readonly tell: () => void
}

const followed = new WeakMap<AbortSignal, Followers>()

/**
 * Runs a function when the signal aborts; not where it has aborted before. What comes back prevents it, and behind the last one nothing
 * is left on the signal. A function follows a signal once: give another one each time.
 */
export const onAbort = (signal: AbortSignal | undefined, run: () => void): (() => void) => {
  if (signal === undefined || signal.aborted) return nothing
  const followers = followed.get(signal) ?? followersOf(signal)
  followers.runs.add(run)
  return () => {
    if (!followers.runs.delete(run) || followers.runs.size > 0) return
    signal.removeEventListener('abort', followers.tell)
    followed.delete(signal)
  }
}

const nothing = (): void => undefined

const followersOf = (signal: AbortSignal): Followers => {
  const runs = new Set<() => void>()
  const tell = (): void => {
    for (const run of runs) run()
  }
  const followers = { runs, tell }
  followed.set(signal, followers)
  signal.addEventListener('abort', tell, { once: true })
  return followers
}
