/**
 * Reads response bodies, either completely or up to a limit, and cancels bodies that are not needed.
 *
 * A buffered body needs no stream. For a small response, creating a stream would take longer than everything else that the client
 * does. A lazy response therefore opens a `ReadableStream` only on demand.
 */
import * as E from 'fp-ts/lib/Either.js'
import { ByteCollector } from '../http/byte-collector.ts'
import type { ClientResponse } from './exchange.ts'
import type { TimeLimit } from './timer.ts'

/**
 * Reads a whole body. Returns a `Left` with {@link tooLarge}, {@link idleTooLong} or the error from the connection if reading
 * fails.
 */
export const readBody = async (
  response: ClientResponse,
  limits: BodyLimits,
): Promise<E.Either<unknown, Uint8Array>> => {
  const reader = unopenedBodies.get(response)?.reader() ?? readerOf(response.body)
  const { bytes, error } = await readUpTo(reader, limits)
  return error === undefined ? E.right(bytes) : E.left(error)
}

/** Beginning of a response body. */
export interface BodyStart {
  readonly bytes: Uint8Array
  /** Error that ended the body early, such as {@link idleTooLong}, or `undefined` if no error occurred. */
  readonly error: unknown
}

/**
 * Reads at most `maxBytes` bytes of a body, and cancels the rest. If reading fails, returns the bytes that arrived
 * before the failure.
 */
export const readStart = async (
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, timeout }: BodyLimits,
): Promise<BodyStart> => {
  const { bytes, error } = await readUpTo(readerOf(body), { maxBytes: maxBytes - 1, timeout })
  return { bytes: bytes.subarray(0, maxBytes), error: error === tooLarge ? undefined : error }
}

/** Reads a body until it ends, or has more than `maxBytes` bytes. */
const readUpTo = async (
  reader: BodyReader | undefined,
  { maxBytes, timeout }: BodyLimits,
): Promise<BodyStart> => {
  const collector = new ByteCollector()
  if (reader === undefined) return { bytes: collector.take(), error: undefined }
  // when the timer expires, a pending `read` ends
  const readTimeout = timeout && new ReadTimeout(timeout, reader.cancel)
  let failure: unknown
  try {
    while (failure === undefined) {
      const { done, value } = await reader.read()
      if (done === true) break
      readTimeout?.restart()
      collector.add(value)
      if (collector.length <= maxBytes) continue
      reader.cancel()
      failure = tooLarge
    }
  } catch (error) {
    failure = error
  }
  if (readTimeout?.stop() === true) failure = idleTooLong
  return { bytes: collector.take(), error: failure }
}

/** Reads the chunks of a body. */
interface BodyReader {
  readonly read: () => Promise<IteratorResult<Uint8Array, unknown>>
  /** Cancels the body. A pending `read` ends. */
  readonly cancel: () => void
}

/**
 * Creates a reader for a stream. It does not wait for the promise returned by `cancel`. If the body was created by
 * `tee`, this promise resolves only after both branches have been cancelled.
 */
const readerOf = (body: ReadableStream<Uint8Array> | null): BodyReader | undefined => {
  const reader = body?.getReader()
  return (
    reader && {
      read: () => reader.read(),
      cancel: () => void reader.cancel().catch(() => undefined),
    }
  )
}

/** Cancels a body that will not be read, to free the connection. Has no effect if the body already has a reader. */
export const cancel = (body: ReadableStream<Uint8Array> | null): void => {
  if (body !== null && !body.locked) body.cancel().catch(() => undefined)
}

/** Error value for a response body whose next chunk did not arrive within the time limit. */
export const idleTooLong: unique symbol = Symbol('idle for too long')

/**
 * A timer that limits the time between the chunks of a body. It starts when the object is created, and runs until
 * `stop` is called.
 */
export class ReadTimeout {
  readonly #limit: TimeLimit
  readonly #onExpired: () => void
  #cancel: () => void
  #isExpired = false

  /** Starts the timer. `onExpired` is called once if the limit elapses. */
  constructor(limit: TimeLimit, onExpired: () => void) {
    this.#limit = limit
    this.#onExpired = onExpired
    this.#cancel = limit.after(this.#expire)
  }

  /** Restarts the timer. Must be called whenever a chunk arrives. */
  restart(): void {
    this.#cancel()
    this.#cancel = this.#limit.after(this.#expire)
  }

  /** Stops the timer. Returns `true` if the time limit had already expired. */
  stop(): boolean {
    this.#cancel()
    return this.#isExpired
  }

  readonly #expire = (): void => {
    this.#isExpired = true
    this.#onExpired()
  }
}

/** A response body that can be read once, either with `open` or with `reader`. */
export interface LazyBody {
  readonly open: () => ReadableStream<Uint8Array>
  readonly reader: () => BodyReader
}

/** Limits for a buffered response body. */
export interface BodyLimits {
  readonly maxBytes: number
  /** Maximum time to wait for the next chunk. `undefined` disables the limit. */
  readonly timeout: TimeLimit | undefined
}

/** Error value for a response body that exceeds the maximum size. */
export const tooLarge: unique symbol = Symbol('too large')

const unopenedBodies = new WeakMap<ClientResponse, LazyBody>()

/**
 * Creates a response whose `body` is opened on first access. Copying the response with spread syntax also opens the body,
 * because it accesses all properties.
 */
export const lazyResponse = (
  head: Omit<ClientResponse, 'body'>,
  lazyBody: LazyBody,
): ClientResponse => {
  let stream: ReadableStream<Uint8Array> | undefined
  const response: ClientResponse = {
    ...head,
    get body() {
      unopenedBodies.delete(response)
      return (stream ??= lazyBody.open())
    },
  }
  unopenedBodies.set(response, lazyBody)
  return response
}
