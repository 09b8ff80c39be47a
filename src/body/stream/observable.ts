/**
 * Asks an observable, which gives its values whether or not somebody wants them. What nobody has asked for yet waits, up to
 * a bound: an observable that is ahead by more breaks off, because a program that keeps everything runs out of memory instead.
 *
 * @see https://github.com/tc39/proposal-observable
 */
import type { Observable } from '../../endpoint/multi.ts'
import type { PullIterator } from './pull-iterator.ts'

/** Values that may wait. */
const most = 10_000

type Step = IteratorResult<unknown, undefined>

export const bufferObservable = (observable: Observable<unknown>): PullIterator => {
  const waiting: unknown[] = []
  let failure: { readonly error: unknown } | undefined
  let isOver = false
  let isLeft = false
  let wanted:
    | { readonly resolve: (step: Step) => void; readonly reject: (error: unknown) => void }
    | undefined
  const end = (): void => {
    isOver = true
    wanted?.resolve(over)
    wanted = undefined
  }
  const fail = (error: unknown): void => {
    if (isOver || failure !== undefined) return
    failure = { error }
    wanted?.reject(error)
    wanted = undefined
  }
  // it may say something, and too much, before it has given a subscription
  let subscription: { readonly unsubscribe: () => void } | undefined
  const leave = (): void => {
    isLeft = true
    subscription?.unsubscribe()
  }
  subscription = observable.subscribe({
    next: (value) => {
      if (isOver || failure !== undefined) return
      if (wanted !== undefined) {
        wanted.resolve({ done: false, value })
        wanted = undefined
      } else if (waiting.push(value) > most) {
        fail(new RangeError(`an observable is ahead by more than ${most} values`))
        leave()
      }
    },
    error: fail,
    complete: end,
  })
  if (isLeft) subscription.unsubscribe()
  return {
    next: () => {
      if (waiting.length > 0) return { done: false, value: waiting.shift() }
      if (failure !== undefined) return Promise.reject(failure.error)
      if (isOver) return over
      return new Promise((resolve, reject) => {
        wanted = { resolve, reject }
      })
    },
    return: () => {
      end()
      waiting.length = 0
      leave()
    },
  }
}

const over: Step = { done: true, value: undefined }

/** What a value has under the symbol, or under the name that stands for it where there is none. */
export const observableOf = (source: unknown): Observable<unknown> | undefined => {
  if (typeof source !== 'object' || source === null) return undefined
  for (const key of [Reflect.get(Symbol, 'observable'), '@@observable']) {
    const interop: unknown = key === undefined ? undefined : Reflect.get(source, key)
    const found: unknown = typeof interop === 'function' ? interop.call(source) : undefined
    if (isObservable(found)) return found
  }
  return isObservable(source) ? source : undefined
}

const isObservable = (value: unknown): value is Observable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'subscribe' in value &&
  typeof value.subscribe === 'function'
