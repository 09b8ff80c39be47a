/** Reads response bodies, either completely or up to a limit, and cancels bodies that are not needed. */
import * as E from 'fp-ts/lib/Either.js'
import { ByteCollector } from '../http/byte-collector.ts'
import type { ClientResponse } from './exchange.ts'
import type { BodyLimits } from './lazy-response.ts'
import { LazyResponse, tooLarge, idleTooLong, ReadTimeout } from './lazy-response.ts'

/**
 * Reads a whole body and passes it to `then`. If reading fails, `then` receives a `Left` that contains
 * {@link tooLarge}, {@link idleTooLong} or the error from the connection.
 *
 * This function accepts a callback, because another async function would use 1 KB of memory per call.
 */
export const readBody = <A>(
  response: ClientResponse,
  limits: BodyLimits,
  then: (bytes: E.Either<unknown, Uint8Array>) => A | Promise<A>,
): Promise<A> => {
  const lazyBody = LazyResponse.unopenedBody(response)
  return lazyBody === undefined
    ? readStream(response, limits, then)
    : lazyBody.readAll(limits).then(
        (bytes) => then(E.right(bytes)),
        (error: unknown) => then(E.left(error)),
      )
}

const readStream = async <A>(
  { body }: ClientResponse,
  limits: BodyLimits,
  then: (bytes: E.Either<unknown, Uint8Array>) => A | Promise<A>,
): Promise<A> => {
  if (body === null) return then(E.right(new Uint8Array()))
  const reader = body.getReader()
  const readTimeout = startReadTimeout(reader, limits)
  let firstChunk: Uint8Array | undefined
  let collector: ByteCollector | undefined
  let length = 0
  let failure: E.Either<unknown, never> | undefined
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      readTimeout?.restart()
      length += value.length
      if (length > limits.maxBytes) {
        cancelReader(reader)
        failure = E.left(tooLarge)
        break
      }
      // most bodies have one chunk, which is not copied
      if (firstChunk === undefined) firstChunk = value
      else {
        if (collector === undefined) (collector = new ByteCollector()).add(firstChunk)
        collector.add(value)
      }
    }
  } catch (error) {
    failure = E.left(error)
  }
  if (readTimeout?.stop() === true) failure = E.left(idleTooLong)
  return then(
    failure ??
      E.right(collector === undefined ? (firstChunk ?? new Uint8Array()) : collector.take()),
  )
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
  limits: BodyLimits,
): Promise<BodyStart> => {
  if (body === null) return { bytes: new Uint8Array(), error: undefined }
  const collector = new ByteCollector()
  let failure: unknown
  const reader = body.getReader()
  const readTimeout = startReadTimeout(reader, limits)
  try {
    while (collector.length < limits.maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      readTimeout?.restart()
      collector.add(value)
    }
    cancelReader(reader)
  } catch (error) {
    failure = error
  }
  if (readTimeout?.stop() === true) failure = idleTooLong
  return { bytes: collector.take().subarray(0, limits.maxBytes), error: failure }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/**
 * Starts a timer that limits the time between the chunks of a body. When the timer expires, the body is cancelled and
 * any pending `read` ends.
 */
const startReadTimeout = (reader: Reader, { timeout }: BodyLimits): ReadTimeout | undefined =>
  timeout === undefined ? undefined : new ReadTimeout(timeout, () => cancelReader(reader))

/**
 * Cancels a body through its reader, without waiting for the promise returned by `cancel`. If the body was created by
 * `tee`, this promise resolves only after both branches have been cancelled.
 */
const cancelReader = (reader: Reader): void => {
  reader.cancel().catch(() => undefined)
}

/** Cancels a body that will not be read, to free the connection. Has no effect if the body already has a reader. */
export const cancel = (body: ReadableStream<Uint8Array> | null): void => {
  if (body !== null && !body.locked) body.cancel().catch(() => undefined)
}
