/** Sources that count how many elements are requested from them and how often they are closed. */
import { setTimeout as wait } from 'node:timers/promises'

/** How a source yields its elements: synchronously, or asynchronously after a pause of the given kind. */
export type Timing = 'sync' | 'async' | 'nextTick' | 'immediate' | 'timer'

export const timings: ReadonlyArray<Timing> = ['sync', 'async', 'nextTick', 'immediate', 'timer']

export interface ObservedSource<A> {
  readonly source: Iterable<A> | AsyncIterable<A>
  /** Number of elements requested, including the end. */
  pulled: number
  /** Number of times the source completed or was closed. */
  ended: number
}

const pauses: Readonly<Record<Exclude<Timing, 'sync'>, () => Promise<unknown>>> = {
  async: () => Promise.resolve(),
  nextTick: () => new Promise<void>((resolve) => process.nextTick(resolve)),
  immediate: () => new Promise((resolve) => setImmediate(resolve)),
  timer: () => wait(1),
}

/** Creates a source that yields the elements, and throws an element that is an `Error`. */
export const observedSource = <A>(
  elements: Iterable<A | Error>,
  timing: Timing,
): ObservedSource<A> => {
  const observed = { pulled: 0, ended: 0 }
  function* synchronous(): Generator<A> {
    try {
      for (const element of elements) {
        observed.pulled++
        if (element instanceof Error) throw element
        yield element
      }
      observed.pulled++
    } finally {
      observed.ended++
    }
  }
  async function* asynchronous(): AsyncGenerator<A> {
    const inner = synchronous()
    try {
      for (;;) {
        if (timing !== 'sync') await pauses[timing]()
        const { done, value } = inner.next()
        if (done === true) return
        yield value
      }
    } finally {
      inner.return(undefined)
    }
  }
  return Object.assign(observed, { source: timing === 'sync' ? synchronous() : asynchronous() })
}

export function* numbers(upTo = Infinity): Generator<number> {
  for (let n = 1; n <= upTo; n++) yield n
}
