/** Opens sources of streams: whatever they are, they are asked in one way. */
import type { Multi } from '../../endpoint/multi.ts'
import type { PullIterator } from './pull-iterator.ts'
import { concurrent } from './concurrent.ts'
import { bufferObservable, observableOf } from './observable.ts'

/** Opens a source. Throws a `TypeError` for what is none. */
export const openSource = (source: unknown): PullIterator => {
  if (isMulti(source)) {
    const one = openSource(source.source)
    return source.demand === 1 ? one : concurrent(one, source.demand)
  }
  // its own iterator would cancel it only when a read that is under way has come to something
  if (source instanceof ReadableStream) return reading(source.getReader())
  if (isAsyncIterable(source)) {
    const iterator = source[Symbol.asyncIterator]()
    return isDestroyable(source) ? destroying(iterator, source) : iterator
  }
  if (isIterable(source)) return source[Symbol.iterator]()
  const observable = observableOf(source)
  if (observable !== undefined) return bufferObservable(observable)
  throw new TypeError('what is to be streamed is no source: an iterable, a stream or an observable')
}

/** Whether a value is a source, which is not opened. */
export const isSource = (value: unknown): boolean =>
  isMulti(value)
    ? isSource(value.source)
    : value instanceof ReadableStream ||
      isAsyncIterable(value) ||
      isIterable(value) ||
      observableOf(value) !== undefined

/** Whether a source comes with a word about how it is asked. */
export const isMulti = (source: unknown): source is Multi<unknown> =>
  isObject(source) && '_tag' in source && source._tag === 'Multi' && 'source' in source

const isAsyncIterable = (source: unknown): source is AsyncIterable<unknown> =>
  isObject(source) && Symbol.asyncIterator in source

/** A text is one value, and so are octets: nobody wants them one by one. */
const isIterable = (source: unknown): source is Iterable<unknown> =>
  isObject(source) && Symbol.iterator in source && !(source instanceof Uint8Array)

const isObject = (source: unknown): source is object =>
  typeof source === 'object' && source !== null

const reading = (reader: ReadableStreamDefaultReader<unknown>): PullIterator => ({
  next: () => reader.read(),
  return: () => reader.cancel(),
})

/** A stream of Node. */
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

/** The iterator of a stream that waits for data would hear only with the next of it that nobody wants any more. */
const destroying = (iterator: AsyncIterator<unknown>, stream: Destroyable): PullIterator => ({
  next: () => iterator.next(),
  return: () => {
    destroy(stream)
    return iterator.return?.()
  },
})
