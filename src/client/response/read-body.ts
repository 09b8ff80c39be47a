/** Reads response bodies as a whole, and cancels them. */
import * as E from 'fp-ts/lib/Either.js'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { ClientResponse } from '../exchange.ts'
import type { BodyLimits } from './lazy-response.ts'
import { LazyResponse, tooLarge } from './lazy-response.ts'
import { idleTooLong, ReadTimeout } from './read-timeout.ts'

/**
 * Reads a whole body and passes it to `then`; or `Left` of {@link tooLarge}, of {@link idleTooLong}, or of the error of the
 * connection. Takes a callback, because another async function would use 1 KB of memory per call.
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

/** The start of a body. */
export interface BodyStart {
  readonly bytes: Uint8Array
  /** The error that ended the body early, which may be {@link idleTooLong}; otherwise `undefined`. */
  readonly error: unknown
}

/** Reads at most `maxBytes` and cancels the rest. If the body fails, returns the bytes received so far. */
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

/** Cancelling the reader ends a pending `read`. */
const startReadTimeout = (reader: Reader, { timeout }: BodyLimits): ReadTimeout | undefined =>
  timeout === undefined ? undefined : new ReadTimeout(timeout, () => cancelReader(reader))

/** Does not wait: the promise of a branch of `tee` resolves only after both branches are cancelled. */
const cancelReader = (reader: Reader): void => {
  reader.cancel().catch(() => undefined)
}

/** Cancels a body that will not be read, which frees its connection. Does nothing if the body has a reader. */
export const cancel = (body: ReadableStream<Uint8Array> | null): void => {
  if (body !== null && !body.locked) body.cancel().catch(() => undefined)
}
