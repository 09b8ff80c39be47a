/** Collects the events of a broadcaster. */
import type { Event } from '../../src/index.ts'
import { turns } from '../support/wait-until.ts'

export interface EventCollector<A> {
  /** The received events. */
  readonly received: ReadonlyArray<Event<A>>
  readonly data: () => ReadonlyArray<A>
  /** Resolves when the source ends. */
  readonly ended: Promise<void>
  readonly cancel: () => unknown
}

/** Starts to read a source. */
export const collectEvents = <A>(source: AsyncIterable<Event<A>>): EventCollector<A> => {
  const received: Array<Event<A>> = []
  const iterator = source[Symbol.asyncIterator]()
  const ended = (async () => {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done === true) return
      received.push(value)
    }
  })()
  return {
    received,
    data: () => received.map((event) => event.data),
    ended,
    cancel: () => iterator.return?.(),
  }
}

/** Resolves when published events have been received. */
export const delivery = (): Promise<void> => turns()

/** Returns the rejection of a promise as text. */
export const rejectionOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'not rejected',
    (error: unknown) => String(error),
  )
