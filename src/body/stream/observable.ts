/**
 * Converts observables to iterators. An observable has no back-pressure, so unread values are buffered.
 *
 * Above the maximum, the stream fails, because an unbounded buffer would exhaust the memory.
 *
 * @see https://github.com/tc39/proposal-observable
 */
import type { Observable } from '../../endpoint/multi.ts'
import type { PullIterator } from './pull-iterator.ts'

/** Maximum number of buffered values. */
const most = 10_000

type Step = IteratorResult<unknown, undefined>

export const bufferObservable = (observable: Observable<unknown>): PullIterator => {
  const waiting: unknown[] = []
  let failure: { readonly error: unknown } | undefined
  let isOver = false
  let isClosed = false
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
  // values may arrive before `subscribe` returns
  let subscription: { readonly unsubscribe: () => void } | undefined
  const unsubscribe = (): void => {
    isClosed = true
    subscription?.unsubscribe()
  }
  subscription = observable.subscribe({
    next: (value) => {
      if (isOver || failure !== undefined) return
      if (wanted !== undefined) {
        wanted.resolve({ done: false, value })
        wanted = undefined
      } else if (waiting.push(value) > most) {
        fail(new RangeError(`observable buffer full: more than ${most} unread values`))
        unsubscribe()
      }
    },
    error: fail,
    complete: end,
  })
  if (isClosed) subscription.unsubscribe()
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
      unsubscribe()
    },
  }
}

const over: Step = { done: true, value: undefined }

/** Returns the observable of a value: from `Symbol.observable`, from `@@observable`, or the value itself. */
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
