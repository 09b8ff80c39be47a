/** Opens sources of streams as iterators. */
import type { Multi } from '../../endpoint/multi.ts'
import type { PullIterator } from './pull-iterator.ts'
import { concurrent } from './concurrent.ts'
import { bufferObservable, observableOf } from './observable.ts'

/** Opens a source. Throws a `TypeError` for an invalid source. */
export const openSource = (source: unknown): PullIterator => {
  if (isMulti(source)) {
    const iterator = openSource(source.source)
    return source.demand === 1 ? iterator : concurrent(iterator, source.demand)
  }
  // the iterator of a ReadableStream cancels it only after a pending read
  if (source instanceof ReadableStream) return reading(source.getReader())
  if (isAsyncIterable(source)) {
    const iterator = source[Symbol.asyncIterator]()
    return isDestroyable(source) ? destroying(iterator, source) : iterator
  }
  if (isIterable(source)) return source[Symbol.iterator]()
  const observable = observableOf(source)
  if (observable !== undefined) return bufferObservable(observable)
  throw new TypeError('invalid stream source: expected an iterable, a stream or an observable')
}

/** Whether a value is a source. Does not open it. */
export const isSource = (value: unknown): boolean =>
  isMulti(value)
    ? isSource(value.source)
    : value instanceof ReadableStream ||
      isAsyncIterable(value) ||
      isIterable(value) ||
      observableOf(value) !== undefined

/** Whether a source is wrapped in a `Multi`, which sets its demand. */
export const isMulti = (source: unknown): source is Multi<unknown> =>
  isObject(source) && '_tag' in source && source._tag === 'Multi' && 'source' in source

const isAsyncIterable = (source: unknown): source is AsyncIterable<unknown> =>
  isObject(source) && Symbol.asyncIterator in source

/** Strings and byte arrays are single values and not sources. */
const isIterable = (source: unknown): source is Iterable<unknown> =>
  isObject(source) && Symbol.iterator in source && !(source instanceof Uint8Array)

const isObject = (source: unknown): source is object =>
  typeof source === 'object' && source !== null

const reading = (reader: ReadableStreamDefaultReader<unknown>): PullIterator => ({
  next: () => reader.read(),
  return: () => reader.cancel(),
})

/** A Node.js stream. */
interface Destroyable {
  readonly destroy: () => unknown
}

export const isDestroyable = (source: object): source is Destroyable =>
  'destroy' in source && typeof source.destroy === 'function'

/**
 * Destroys a stream. A stream may emit an error while it is destroyed, for example because its file cannot be opened. Without a
 * listener, that error would end the process.
 */
export const destroy = (stream: Destroyable): void => {
  if ('on' in stream && typeof stream.on === 'function') stream.on('error', () => undefined)
  stream.destroy()
}

/** Destroys the stream on close, because its iterator would wait for the next chunk. */
const destroying = (iterator: AsyncIterator<unknown>, stream: Destroyable): PullIterator => ({
  next: () => iterator.next(),
  return: () => {
    destroy(stream)
    return iterator.return?.()
  },
})
