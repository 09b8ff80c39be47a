/**
 * Reads response bodies, either completely or up to a limit, and cancels bodies that are not needed.
 *
 * A buffered body needs no stream. For a small response, creating a stream would take longer than everything else that the client
 * does. A lazy response therefore opens a `ReadableStream` only on demand.
 */
import { ByteCollector } from '../http/byte-collector.ts'
import type { ClientResponse } from './exchange.ts'
import type { TimeLimit } from './timer.ts'

/** A response body that has been read. */
interface ReceivedBody {
  readonly bytes: Uint8Array
  /**
   * Reason why `bytes` are not the whole body: {@link tooLarge}, {@link idleTooLong} or the error from the connection. `undefined` if
   * they are.
   */
  readonly error: unknown
}

/** Reads a body until it ends, fails, or has more than `maxBytes` bytes. */
export const readBody = async (
  response: ClientResponse,
  { maxBytes, timeout }: BodyLimits,
): Promise<ReceivedBody> => {
  const collector = new ByteCollector()
  const reader = unopenedBodies.get(response)?.reader() ?? readerOf(response.body)
  if (reader === undefined) return { bytes: collector.take(), error: undefined }
  let failure: unknown
  try {
    while (failure === undefined) {
      const { done, value } = await readInTime(reader, timeout)
      if (done === true) break
      collector.add(value)
      if (collector.length <= maxBytes) continue
      reader.cancel()
      failure = tooLarge
    }
  } catch (error) {
    // a stream can fail without a reason
    failure = error ?? new TypeError('the response body failed')
  }
  return { bytes: collector.take(), error: failure }
}

/** Reads the next chunk. If it does not arrive within the time limit, cancels the body and throws {@link idleTooLong}. */
export const readInTime = async (
  { read, cancel: cancelBody }: BodyReader,
  timeout: TimeLimit | undefined,
): ReturnType<BodyReader['read']> => {
  let isExpired = false
  // when the timer expires, the pending `read` ends
  const stop = timeout?.after(() => {
    isExpired = true
    cancelBody()
  })
  try {
    const result = await read()
    if (!isExpired) return result
  } catch (error) {
    if (!isExpired) throw error
  } finally {
    stop?.()
  }
  throw idleTooLong
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
