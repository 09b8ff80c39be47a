/**
 * Opens stream sources as iterators. A source is an iterable, a `ReadableStream`, a Node.js stream, an observable, or a `Multi`
 * that wraps one of these.
 */
import { identity } from 'fp-ts/lib/function.js'
import type { CapDemands, Observable, Multi } from '../../endpoint/multi.ts'
import { isBytes, isObject, isReadableStream, isThenable } from '../../http/platform-value.ts'

/** An iterator over a stream source. `next` returns either a result or a promise for a result. */
export interface PullIterator {
  readonly next: () =>
    | IteratorResult<unknown, unknown>
    | PromiseLike<IteratorResult<unknown, unknown>>
  /**
   * Closes the iterator before the source has ended. Some iterators, such as async generators, close only after a pending call to
   * `next` has settled.
   */
  readonly return?: (() => unknown) | undefined
}

/** Closes an iterator whose source has not ended. Errors that occur while closing are ignored. */
export const closeIterator = (source: PullIterator): void => {
  try {
    const closing = source.return?.()
    if (isThenable(closing)) closing.then(undefined, () => undefined)
  } catch {}
}

type Step = IteratorResult<unknown, unknown>

/** The functions that settle the promise returned by a pending call to `next`. */
interface PendingRead {
  readonly resolve: (step: Step) => void
  readonly reject: (error: unknown) => void
}

/**
 * Maximum number of elements of a source that are pending or unread at any time. A pending call uses about 500 bytes, so a stream
 * with an unlimited demand uses up to 5 MB.
 */
const maxRequested = 10_000

/**
 * Creates an iterator that requests elements from `source` concurrently. At most `demand` elements are pending or unread at any
 * time. `capDemands` limits how many of them are pending.
 */
export const concurrent = (
  source: PullIterator,
  demand: number,
  capDemands: CapDemands = identity,
): PullIterator => {
  const arrived: Step[] = []
  const maxOpen = Math.min(demand, maxRequested)
  let pending = 0
  /** Whether the source has ended. Elements that were requested earlier can still arrive. */
  let isOver = false
  let failure: { readonly error: unknown } | undefined
  let pendingRead: PendingRead | undefined
  const settle = (): void => {
    const read = pendingRead
    if (read === undefined) return
    const step = arrived.shift()
    if (step === undefined && failure === undefined && !(isOver && pending === 0)) return
    pendingRead = undefined
    if (step !== undefined) read.resolve(step)
    else if (failure !== undefined) read.reject(failure.error)
    else read.resolve(endOfSource)
  }
  const addStep = (step: Step): void => {
    if (step.done === true) isOver = true
    else arrived.push(step)
  }
  const fail = (error: unknown): void => {
    if (failure !== undefined) return
    failure = { error }
    closeIterator(source)
  }
  const canRequest = (limit: number): boolean =>
    !isOver && failure === undefined && pending < limit && pending + arrived.length < maxOpen
  const request = (): void => {
    const outstanding = demand - arrived.length
    if (outstanding < 1 || isOver || failure !== undefined) return
    const limit = validDemand(capDemands(outstanding), outstanding)
    while (canRequest(limit)) {
      const step = source.next()
      if (!isThenable(step)) {
        addStep(step)
        // a synchronous source produces nothing concurrently, so reading ahead would only take memory
        return
      }
      pending++
      void Promise.resolve(step)
        .then(addStep)
        .catch(fail)
        .then(() => {
          pending--
          settle()
        })
    }
  }
  return {
    next: () =>
      new Promise((resolve, reject) => {
        pendingRead = { resolve, reject }
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
      pendingRead?.resolve(endOfSource)
      pendingRead = undefined
      return failure === undefined ? source.return?.() : undefined
    },
  }
}

const endOfSource: Step = { done: true, value: undefined }

/** Returns the result of `capDemands`. Throws a `RangeError` if it is not an integer from 1 to `outstanding`. */
const validDemand = (demand: number, outstanding: number): number => {
  if ((Number.isInteger(demand) || demand === Infinity) && demand >= 1 && demand <= outstanding)
    return demand
  throw new RangeError(`capDemands must return an integer from 1 to ${outstanding}, got ${demand}`)
}

/** Maximum number of values buffered for each observable. */
const maxBufferedValues = 10_000

/** Subscribes to an observable and buffers its values until they are read. */
const bufferObservable = (observable: Observable<unknown>): PullIterator => {
  const buffer: unknown[] = []
  let failure: { readonly error: unknown } | undefined
  let isOver = false
  let isClosed = false
  let pendingRead: PendingRead | undefined
  // values may arrive before `subscribe` returns
  let subscription: { readonly unsubscribe: () => void } | undefined
  const unsubscribe = (): void => {
    if (isClosed) return
    isClosed = true
    subscription?.unsubscribe()
  }
  const end = (): void => {
    isOver = true
    pendingRead?.resolve(endOfSource)
    pendingRead = undefined
  }
  const fail = (error: unknown): void => {
    if (isOver || failure !== undefined) return
    failure = { error }
    pendingRead?.reject(error)
    pendingRead = undefined
    // an observable that is not one of a library may continue after an error
    unsubscribe()
  }
  subscription = observable.subscribe({
    next: (value) => {
      if (isOver || failure !== undefined) return
      if (pendingRead !== undefined) {
        pendingRead.resolve({ done: false, value })
        pendingRead = undefined
      } else if (buffer.push(value) > maxBufferedValues) {
        fail(new RangeError(`observable buffer full: more than ${maxBufferedValues} unread values`))
      }
    },
    error: fail,
    complete: end,
  })
  if (isClosed) subscription.unsubscribe()
  return {
    next: () => {
      if (buffer.length > 0) return { done: false, value: buffer.shift() }
      if (failure !== undefined) return Promise.reject(failure.error)
      if (isOver) return endOfSource
      return new Promise((resolve, reject) => {
        pendingRead = { resolve, reject }
      })
    },
    return: () => {
      end()
      buffer.length = 0
      unsubscribe()
    },
  }
}

/**
 * Returns the observable provided by a value's `Symbol.observable` or `@@observable` method, or the value itself if it is an
 * observable. Otherwise, returns `undefined`.
 */
const observableOf = (source: unknown): Observable<unknown> | undefined => {
  if (typeof source !== 'object' || source === null) return undefined
  for (const key of [Reflect.get(Symbol, 'observable'), '@@observable']) {
    const interop: unknown = key === undefined ? undefined : Reflect.get(source, key)
    const observable: unknown = typeof interop === 'function' ? interop.call(source) : undefined
    if (isObservable(observable)) return observable
  }
  return isObservable(source) ? source : undefined
}

const isObservable = (value: unknown): value is Observable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'subscribe' in value &&
  typeof value.subscribe === 'function'

/** Opens a stream source as an iterator. Throws a `TypeError` if `source` is not a stream source. */
export const openSource = (source: unknown): PullIterator => {
  if (isMulti(source)) {
    const { demand, capDemands } = source
    const iterator = openSource(source.source)
    return demand === 1 && capDemands === undefined
      ? iterator
      : concurrent(iterator, demand, capDemands)
  }
  // the async iterator of a ReadableStream does not cancel the stream until a pending read has settled
  if (isReadableStream(source)) return readerIterator(source.getReader())
  if (isAsyncIterable(source)) {
    const iterator = source[Symbol.asyncIterator]()
    return isDestroyable(source) ? destroyingIterator(iterator, source) : iterator
  }
  if (isIterable(source)) return source[Symbol.iterator]()
  const observable = observableOf(source)
  if (observable !== undefined) return bufferObservable(observable)
  throw new TypeError('invalid stream source: expected an iterable, a stream or an observable')
}

/** Whether a value is a stream source. The value is not opened. */
export const isSource = (value: unknown): boolean =>
  isMulti(value)
    ? isSource(value.source)
    : isReadableStream(value) ||
      isAsyncIterable(value) ||
      isIterable(value) ||
      observableOf(value) !== undefined

/** Whether a source is a `Multi`, which wraps another source and sets its demand. */
export const isMulti = (source: unknown): source is Multi<unknown> =>
  isObject(source) && '_tag' in source && source._tag === 'Multi' && 'source' in source

const isAsyncIterable = (source: unknown): source is AsyncIterable<unknown> =>
  isObject(source) && Symbol.asyncIterator in source

/** Whether a source is a synchronous iterable. Strings and byte arrays are single values, not sources. */
const isIterable = (source: unknown): source is Iterable<unknown> =>
  isObject(source) && Symbol.iterator in source && !isBytes(source)

const readerIterator = (reader: ReadableStreamDefaultReader<unknown>): PullIterator => ({
  next: () => reader.read(),
  return: () => reader.cancel(),
})

/** An object that can be destroyed, such as a Node.js stream. */
interface Destroyable {
  readonly destroy: () => unknown
}

/** Whether a source has a `destroy` method, as Node.js streams do. */
export const isDestroyable = (source: object): source is Destroyable =>
  'destroy' in source && typeof source.destroy === 'function'

/**
 * Destroys a stream, ignoring its errors. A stream can emit an `error` event while it is being destroyed, for example if a file
 * cannot be opened. Without a listener, this event would terminate the process.
 */
export const destroy = (stream: Destroyable): void => {
  if ('on' in stream && typeof stream.on === 'function') stream.on('error', () => undefined)
  stream.destroy()
}

/**
 * Creates an iterator that destroys a stream when the iterator is closed. The stream's own iterator would wait for the next chunk
 * before closing.
 */
const destroyingIterator = (
  iterator: AsyncIterator<unknown>,
  stream: Destroyable,
): PullIterator => ({
  next: () => iterator.next(),
  return: () => {
    destroy(stream)
    return iterator.return?.()
  },
})
