/** Asks a source for several elements at the same time, and hands them on in the order in which they come. */
import { isThenable, closeIterator } from './pull-iterator.ts'
import type { PullIterator } from './pull-iterator.ts'

type Step = IteratorResult<unknown, unknown>

interface Waiting {
  readonly resolve: (step: Step) => void
  readonly reject: (error: unknown) => void
}

/** Never more than `demand` elements are asked for and not yet handed on. */
export const concurrent = (source: PullIterator, demand: number): PullIterator => {
  const come: Step[] = []
  let underway = 0
  /** Whether the source has said that it is at its end; what was asked for before may still come. */
  let isOver = false
  let failure: { readonly error: unknown } | undefined
  let waiting: Waiting | undefined
  const settle = (): void => {
    const one = waiting
    if (one === undefined) return
    const step = come.shift()
    if (step === undefined && failure === undefined && !(isOver && underway === 0)) return
    waiting = undefined
    if (step !== undefined) one.resolve(step)
    else if (failure !== undefined) one.reject(failure.error)
    else one.resolve(end)
  }
  const take = (step: Step): void => {
    if (step.done === true) isOver = true
    else come.push(step)
  }
  const fail = (error: unknown): void => {
    if (failure !== undefined) return
    failure = { error }
    closeIterator(source)
  }
  const hasRoom = (): boolean => !isOver && failure === undefined && underway + come.length < demand
  const ask = (): void => {
    while (hasRoom()) {
      const step = source.next()
      if (!isThenable(step)) take(step)
      else {
        underway++
        void Promise.resolve(step)
          .then(take)
          .catch(fail)
          .then(() => {
            underway--
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
          ask()
        } catch (error) {
          fail(error)
        }
        settle()
      }),
    return: () => {
      isOver = true
      come.length = 0
      waiting?.resolve(end)
      waiting = undefined
      return failure === undefined ? source.return?.() : undefined
    },
  }
}

const end: Step = { done: true, value: undefined }
