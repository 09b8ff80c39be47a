/** Streamed replies, and the types of their sources. */
import type { Reply } from './reply.ts'
import { reply, withHeader } from './reply.ts'

/** An object with `Symbol.observable`, such as an RxJS observable. An observable pushes values without back-pressure. */
export interface Observable<A> {
  readonly subscribe: (observer: {
    readonly next: (value: A) => void
    readonly error: (error: unknown) => void
    readonly complete: () => void
  }) => { readonly unsubscribe: () => void }
}

/**
 * A source of stream elements: an iterable or async iterable, a Node.js `Readable`, a `ReadableStream`, an
 * observable, or any of these combined with options (`multi`). Strings are excluded, because a string is a single
 * value.
 *
 * Elements are requested on demand. When the client disconnects or the stream fails, the source is closed with
 * `return`, `destroy`, `cancel` or `unsubscribe`. A stream that is not sent is closed at the end of the request. A
 * source must not modify a byte array after emitting it, because the array is sent later.
 *
 * A generator that is waiting for a promise handles `return` only after the promise is settled. Therefore, pass
 * `context.request.signal` to the awaited operation. If a generator has not started, its `finally` blocks do not run.
 */
export type Source<A> =
  // included in the following members, but selected by TypeScript, so that an error message ends in the type of the element
  | AsyncGenerator<A, unknown, never>
  | Generator<A, unknown, never>
  | ReadonlyArray<A>
  | AsyncIterable<A>
  | (Iterable<A> & object)
  | ReadableStream<A>
  | Observable<A>
  | Multi<A>

/** A source with streaming options. */
export interface Multi<A> {
  readonly _tag: 'Multi'
  readonly source: Source<A>
  /** Maximum number of elements that are requested but not yet written. */
  readonly demand: number
  /** Returns how many elements may be open at once. If `undefined`, `demand` is the only limit. */
  readonly capDemands: CapDemands | undefined
  /** Whether JSON elements are written as one array instead of one value per line. */
  readonly encodeAsArray: boolean
}

/**
 * Returns the number of elements that may be open at once, from 1 to `outstanding`. An element is open from the call of
 * `next` until it arrives. `outstanding` is the demand without the elements that have arrived and are not written yet.
 */
export type CapDemands = (outstanding: number) => number

/** Options that control how a stream is read and written. */
export interface StreamingOptions {
  /**
   * Maximum number of elements that are requested but not yet written: a positive integer or `Infinity`. Default: 1.
   *
   * With a demand of 1, the next element is requested after the previous one has been written, and the elements keep
   * their order. With a greater demand, `next` is called concurrently, and elements are sent in the order in which
   * the calls complete. This order is the order of the source only for sources that handle one call at a time:
   * generators, `ReadableStream` and Node.js streams.
   *
   * At most 10,000 elements are requested at the same time. If the demand is greater, the others are requested as
   * elements are written. A synchronous source is read one element at a time, and an observable emits its values
   * regardless of the demand.
   */
  readonly demand?: number
  /**
   * Limits how many elements are open at once, which means requested and not yet arrived: a positive integer,
   * `Infinity`, or a function of the outstanding demand. Default: no limit.
   *
   * The outstanding demand is `demand` without the elements that have arrived and are not written yet. A function is called
   * when the stream starts, and again before each element is taken from the source. It must return an integer from 1 to
   * the outstanding demand. Otherwise, the stream fails with a `RangeError`.
   */
  readonly capDemands?: number | CapDemands
  /** Whether `jsonStream` writes one array instead of one value per line. Default: `true`. */
  readonly encodeAsArray?: boolean
}

/** Response headers by name. A list adds one header per value. */
export interface Fields {
  readonly [name: string]: string | ReadonlyArray<string>
}

/** Options for {@link multi}. */
export interface MultiOptions<St extends number> extends StreamingOptions {
  /** Status of the response, which the endpoint must declare. Default: 200. */
  readonly status?: St
  readonly headers?: Fields
}

/**
 * Creates a streamed reply with a status, headers or streaming options.
 *
 * Throws a `RangeError` for an invalid `demand` or `capDemands`, and a `TypeError` for an invalid header.
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
 * const response = await inMemory(routes({ numbers }))('http://localhost/numbers')
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
  // if there is no status, `St` is the default, 200
  const status = options.status ?? (200 as St)
  return withHeaders(headers)(reply(status, makeMulti(source, rest)))
}

/**
 * Creates a streamed reply from an asynchronous response, such as a response from another service.
 *
 * The functions `data`, `headers` and `status` compute the source, the headers and the status from that response. The
 * status defaults to 200. A rejected promise is handled like any other error in the handler. If `response` is a
 * `Task`, the result is also a `Task`.
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
 * const response = await inMemory(routes({ lines }))('http://localhost/lines')
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
  // if there is no function, `St` is the default, 200
  status: (response: R) => St = () => 200 as St,
  options: StreamingOptions = {},
): Promise<Reply<St, Multi<A>>> | (() => Promise<Reply<St, Multi<A>>>) {
  const from = (received: R): Reply<St, Multi<A>> =>
    multi(data(received), { ...options, headers: headers(received), status: status(received) })
  return typeof response === 'function' ? () => response().then(from) : response.then(from)
}

const makeMulti = <A>(
  source: Source<A>,
  { demand = 1, capDemands, encodeAsArray = true }: StreamingOptions,
): Multi<A> => {
  if (!isDemand(demand)) throw invalidDemand('demand', 'a positive integer or Infinity', demand)
  return Object.freeze({
    _tag: 'Multi',
    source,
    demand,
    capDemands: capDemands === undefined ? undefined : toFunction(capDemands),
    encodeAsArray,
  })
}

const toFunction = (limit: number | CapDemands): CapDemands => {
  if (typeof limit === 'function') return limit
  if (isDemand(limit)) return (outstanding) => Math.min(outstanding, limit)
  throw invalidDemand('capDemands', 'a positive integer, Infinity or a function', limit)
}

/** Whether a value is a positive integer or `Infinity`. */
const isDemand = (value: unknown): boolean =>
  value === Infinity || (Number.isInteger(value) && Number(value) >= 1)

const invalidDemand = (option: string, expected: string, value: unknown): RangeError =>
  new RangeError(
    `${option} must be ${expected}, got ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`,
  )

const withHeaders =
  (fields: Fields) =>
  <St extends number, A>(initial: Reply<St, A>): Reply<St, A> =>
    Object.entries(fields)
      .flatMap(([name, values]) =>
        (typeof values === 'string' ? [values] : values).map((value) => withHeader(name, value)),
      )
      .reduce((result, change) => change(result), initial)
