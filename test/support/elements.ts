/** Sources that tell what happens to them. */
import { setTimeout as wait } from 'node:timers/promises'

/** A way to give elements; `waits` says how one after the other comes. */
export type Way = 'sync' | 'async' | 'nextTick' | 'immediate' | 'timer'

export const ways: ReadonlyArray<Way> = ['sync', 'async', 'nextTick', 'immediate', 'timer']

export interface Watched<A> {
  readonly source: Iterable<A> | AsyncIterable<A>
  /** Elements that were asked for, the end too. */
  asked: number
  /** Times that it came to its end or was left. */
  ended: number
}

const pauses: Readonly<Record<Exclude<Way, 'sync'>, () => Promise<unknown>>> = {
  async: () => Promise.resolve(),
  nextTick: () => new Promise<void>((resolve) => process.nextTick(resolve)),
  immediate: () => new Promise((resolve) => setImmediate(resolve)),
  timer: () => wait(1),
}

/** Gives elements, and throws what is an error instead of giving it. */
export const elementsOf = <A>(elements: Iterable<A | Error>, way: Way): Watched<A> => {
  const watched = { asked: 0, ended: 0 }
  function* now(): Generator<A> {
    try {
      for (const one of elements) {
        watched.asked++
        if (one instanceof Error) throw one
        yield one
      }
      watched.asked++
    } finally {
      watched.ended++
    }
  }
  async function* later(): AsyncGenerator<A> {
    const inside = now()
    try {
      for (;;) {
        if (way !== 'sync') await pauses[way]()
        const { done, value } = inside.next()
        if (done === true) return
        yield value
      }
    } finally {
      inside.return(undefined)
    }
  }
  return Object.assign(watched, { source: way === 'sync' ? now() : later() })
}

export function* numbers(upTo = Infinity): Generator<number> {
  for (let n = 1; n <= upTo; n++) yield n
}
