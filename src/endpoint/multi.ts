/** Streams with a word about how they are asked and sent, and about the head in front of them. */
import type { Reply } from './reply.ts'
import { reply, withHeader } from './reply.ts'

export interface StreamingOptions {
  /**
   * How many calls of `next` may be under way at the same time: 1, so that the next element is asked for when the one before
   * was written, up to 1,000. With more, elements are sent in the order in which they come. A generator does one after the
   * other all the same.
   */
  readonly demand?: number
  /** Whether what `jsonStream` sends is one array, which it is by default, or one value a line. */
  readonly encodeAsArray?: boolean
}

/** Header fields by name. A field with several values is sent as often. */
export interface Fields {
  readonly [name: string]: string | ReadonlyArray<string>
}

export interface MultiOptions<St extends number> extends StreamingOptions {
  /** 200 unless it is said; it has to be one that the endpoint declares. */
  readonly status?: St
  readonly headers?: Fields
}

/**
 * A reply that streams, for when the source alone does not say enough. Throws a `RangeError` for a `demand` out of range, and
 * a `TypeError` for a header field that cannot be sent.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, jsonStream, multi, path, produces, routes, status } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const numbers = pipe(
 *   path('/numbers'),
 *   get(),
 *   status(203),
 *   produces(jsonStream(int)),
 *   handle(() => multi([1, 2], { status: 203, headers: { 'X-Total': '2' }, encodeAsArray: false })),
 * )
 * const response = await inMemory(routes({ numbers }))(new Request('http://localhost/numbers'))
 *
 * assert.deepEqual([response.status, response.headers.get('X-Total')], [203, '2'])
 * assert.equal(await response.text(), '1\n2\n')
 * ```
 */
export const multi = <A, St extends number = 200>(
  source: Source<A>,
  options: MultiOptions<St> = {},
): Reply<St, Multi<A>> => {
  const { headers = {}, ...rest } = options
  // without a status in the options, `St` is its default
  const status = options.status ?? (200 as St)
  return withHeaders(headers)(reply(status, makeMulti(source, rest)))
}

/**
 * A reply that streams, where source, header fields and status come out of a response that is still awaited, such as that of
 * another service. Each is a function of it; the status is 200 without one. When there is no response, there is no stream:
 * what it is rejected with is mapped and answered like any other error. A `Task` gives a `Task`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, multiFrom, path, produces, routes, textStream } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const found = async () => ({ lines: ['a\n', 'b\n'], total: 2 })
 * const lines = pipe(
 *   path('/lines'),
 *   get(),
 *   produces(textStream),
 *   handle(() =>
 *     multiFrom(
 *       found(),
 *       (response) => response.lines,
 *       (response) => ({ 'X-Total': String(response.total) }),
 *     ),
 *   ),
 * )
 * const response = await inMemory(routes({ lines }))(new Request('http://localhost/lines'))
 *
 * assert.equal(response.headers.get('X-Total'), '2')
 * assert.equal(await response.text(), 'a\nb\n')
 * ```
 */
export function multiFrom<R, A, St extends number = 200>(
  response: Promise<R>,
  data: (response: R) => Source<A>,
  headers?: (response: R) => Fields,
  status?: (response: R) => St,
  options?: StreamingOptions,
): Promise<Reply<St, Multi<A>>>

export function multiFrom<R, A, St extends number = 200>(
  response: () => Promise<R>,
  data: (response: R) => Source<A>,
  headers?: (response: R) => Fields,
  status?: (response: R) => St,
  options?: StreamingOptions,
): () => Promise<Reply<St, Multi<A>>>

export function multiFrom<R, A, St extends number>(
  response: Promise<R> | (() => Promise<R>),
  data: (response: R) => Source<A>,
  headers: (response: R) => Fields = () => ({}),
  // without a function for it, `St` is its default
  status: (response: R) => St = () => 200 as St,
  options: StreamingOptions = {},
): Promise<Reply<St, Multi<A>>> | (() => Promise<Reply<St, Multi<A>>>) {
  const from = (received: R): Reply<St, Multi<A>> =>
    multi(data(received), { ...options, headers: headers(received), status: status(received) })
  return typeof response === 'function' ? () => response().then(from) : response.then(from)
}

const maxDemand = 1000

const makeMulti = <A>(
  source: Source<A>,
  { demand = 1, encodeAsArray = true }: StreamingOptions,
): Multi<A> => {
  if (!Number.isInteger(demand) || demand < 1 || demand > maxDemand)
    throw new RangeError(`a demand is an integer from 1 to ${maxDemand}, and not ${demand}`)
  return Object.freeze({ _tag: 'Multi', source, demand, encodeAsArray })
}

const withHeaders =
  (fields: Fields) =>
  <St extends number, A>(plain: Reply<St, A>): Reply<St, A> =>
    Object.entries(fields)
      .flatMap(([name, values]) =>
        (typeof values === 'string' ? [values] : values).map((value) => withHeader(name, value)),
      )
      .reduce((answer, change) => change(answer), plain)

/** Anything with `Symbol.observable`, as RxJS has it. It cannot be asked, only heard. */
export interface Observable<A> {
  readonly subscribe: (observer: {
    readonly next: (value: A) => void
    readonly error: (error: unknown) => void
    readonly complete: () => void
  }) => { readonly unsubscribe: () => void }
}

/**
 * A generator or any other iterable, asynchronous or not, a `Readable` of Node, a `ReadableStream`, an observable, or one of
 * them with a word about how it is asked (`multi`). A text is none: it is one value.
 *
 * It is asked for a value when there is room for it, and told when nobody wants any more: `return` of an iterator, `destroy`,
 * `cancel`, `unsubscribe`. A generator that waits hears that only when its wait is over, so what it waits for should be given
 * `context.request.signal`. One that was never asked has nothing to give back; what is open before it is asked, such as a
 * `Readable` of a file, is closed only when the response gets as far as its content. Octets that were given belong to the
 * stream: they are sent later, so their memory must not be used again.
 */
export type Source<A> =
  | AsyncIterable<A>
  | (Iterable<A> & object)
  | ReadableStream<A>
  | Observable<A>
  | Multi<A>

/** A source, and how it is asked and sent. */
export interface Multi<A> {
  readonly _tag: 'Multi'
  readonly source: Source<A>
  /** The number of elements that are asked for at the same time. */
  readonly demand: number
  /** Whether elements that are sent as JSON make one array. */
  readonly encodeAsArray: boolean
}
