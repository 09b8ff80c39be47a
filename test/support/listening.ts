/** Somebody who takes from a broadcaster whatever is given. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Event } from '../../src/index.ts'

export interface Listening<A> {
  /** What was given so far. */
  readonly heard: ReadonlyArray<Event<A>>
  readonly data: () => ReadonlyArray<A>
  /** Resolves when nothing more will be given. */
  readonly over: Promise<void>
  readonly leave: () => unknown
}

/** Listens from now on. */
export const listening = <A>(source: AsyncIterable<Event<A>>): Listening<A> => {
  const heard: Array<Event<A>> = []
  const iterator = source[Symbol.asyncIterator]()
  const over = (async () => {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done === true) return
      heard.push(value)
    }
  })()
  return {
    heard,
    data: () => heard.map((one) => one.data),
    over,
    leave: () => iterator.return?.(),
  }
}

/** Resolves when what was published has arrived. */
export const arrived = (): Promise<void> => wait(1)

/** What a promise was rejected with, as text. */
export const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'not refused',
    (error: unknown) => String(error),
  )
