/**
 * Those who follow a signal, with one listener for all of them: a program has one signal for many calls, and Node warns of a leak
 * where a signal has more than ten listeners.
 */
import { Chain } from './chain.ts'

interface Followers {
  readonly runs: Chain<() => void>
  readonly tell: () => void
}

const followed = new WeakMap<AbortSignal, Followers>()

/**
 * Runs a function when the signal aborts; not where it has aborted before. What comes back prevents it, and behind the last one nothing
 * is left on the signal.
 */
export const onAbort = (signal: AbortSignal | undefined, run: () => void): (() => void) => {
  if (signal === undefined || signal.aborted) return nothing
  const followers = followed.get(signal) ?? followersOf(signal)
  const { runs } = followers
  const link = runs.join(run)
  return () => {
    if (!runs.leave(link) || runs.first !== undefined) return
    signal.removeEventListener('abort', followers.tell)
    followed.delete(signal)
  }
}

const nothing = (): void => undefined

const followersOf = (signal: AbortSignal): Followers => {
  const runs = new Chain<() => void>()
  const tell = (): void => {
    for (let link = runs.first; link !== undefined; link = runs.first) {
      runs.leave(link)
      link.value()
    }
  }
  const followers = { runs, tell }
  followed.set(signal, followers)
  signal.addEventListener('abort', tell, { once: true })
  return followers
}
