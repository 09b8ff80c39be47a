/** Opens sources of streams: whatever they are, they are asked in one way. */
import { heard, observableOf } from './observable.ts'

/** An iterator that answers now or later. What its elements are, only their writer knows. */
export interface Asked {
  readonly next: () =>
    | IteratorResult<unknown, unknown>
    | PromiseLike<IteratorResult<unknown, unknown>>
  readonly return?: (() => unknown) | undefined
}

/** Opens a source. Throws a `TypeError` for what is none. */
export const asked = (source: unknown): Asked => {
  if (isAsyncIterable(source)) return source[Symbol.asyncIterator]()
  if (isIterable(source)) return source[Symbol.iterator]()
  if (source instanceof ReadableStream) return reading(source.getReader())
  const observable = observableOf(source)
  if (observable !== undefined) return heard(observable)
  throw new TypeError('what is to be streamed is no source: an iterable, a stream or an observable')
}

const isAsyncIterable = (source: unknown): source is AsyncIterable<unknown> =>
  isObject(source) && Symbol.asyncIterator in source

/** A text is one value, and so are octets: nobody wants them one by one. */
const isIterable = (source: unknown): source is Iterable<unknown> =>
  isObject(source) && Symbol.iterator in source && !(source instanceof Uint8Array)

const isObject = (source: unknown): source is object =>
  typeof source === 'object' && source !== null

const reading = (reader: ReadableStreamDefaultReader<unknown>): Asked => ({
  next: () => reader.read(),
  return: () => reader.cancel(),
})
