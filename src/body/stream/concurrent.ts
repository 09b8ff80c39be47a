/** Reads several elements of a source concurrently, and returns them in the order in which they arrive. */
import { isThenable, closeIterator } from './pull-iterator.ts'
import type { PullIterator } from './pull-iterator.ts'

type Step = IteratorResult<unknown, unknown>

interface Waiting {
  readonly resolve: (step: Step) => void
  readonly reject: (error: unknown) => void
}

/** Creates an iterator with at most `demand` pending or unread elements. */
export const concurrent = (source: PullIterator, demand: number): PullIterator => {
  const arrived: Step[] = []
  let pending = 0
  /** Whether the source has ended. Pending elements may still arrive. */
  let isOver = false
  let failure: { readonly error: unknown } | undefined
  let waiting: Waiting | undefined
  const settle = (): void => {
    const consumer = waiting
    if (consumer === undefined) return
    const step = arrived.shift()
    if (step === undefined && failure === undefined && !(isOver && pending === 0)) return
    waiting = undefined
    if (step !== undefined) consumer.resolve(step)
    else if (failure !== undefined) consumer.reject(failure.error)
    else consumer.resolve(end)
  }
  const take = (step: Step): void => {
    if (step.done === true) isOver = true
    else arrived.push(step)
  }
  const fail = (error: unknown): void => {
    if (failure !== undefined) return
    failure = { error }
    closeIterator(source)
  }
  const hasRoom = (): boolean =>
    !isOver && failure === undefined && pending + arrived.length < demand
  const request = (): void => {
    while (hasRoom()) {
      const step = source.next()
      if (!isThenable(step)) take(step)
      else {
        pending++
        void Promise.resolve(step)
          .then(take)
          .catch(fail)
          .then(() => {
            pending--
            settle()
          })
      }
    }
  }
  return {
    next: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        try {
          request()
        } catch (error) {
          fail(error)
        }
        settle()
      }),
    return: () => {
      isOver = true
      arrived.length = 0
      waiting?.resolve(end)
      waiting = undefined
      return failure === undefined ? source.return?.() : undefined
    },
  }
}

const end: Step = { done: true, value: undefined }
