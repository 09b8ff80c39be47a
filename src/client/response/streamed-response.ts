/** Reads streamed and multipart response bodies. */
import * as E from 'fp-ts/lib/Either.js'
import { isTypedLater } from '../../body/body-plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { malformedBody } from '../../body/decode-body.ts'
import type * as MediaType from '../../http/media-type.ts'
import type { ChunkReader, ResponseIterator, ResponseToRead } from '../stream/response-stream.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { boundaryOf } from '../../http/part-headers.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { AnyDecodedResponse } from '../decoded-response.ts'
import { isCallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import { bodyReader } from './buffered-response.ts'
import { decodeError } from '../error-factories.ts'
import {
  recordReader,
  createReceivedFile,
  contentLength,
  parseMultipart,
} from './multipart-record.ts'
import { readEvents } from '../stream/event-stream.ts'
import type { Reconnector } from '../stream/event-stream.ts'
import { createReadErrors, readChunks, responseIterator } from '../stream/response-stream.ts'

/**
 * Returns a stream that reads the response body or, for a multipart body with declared fields, returns the record that
 * was read from it. `reconnector` is used to resume event streams.
 */
export type ReadResponseStream = (
  source: ResponseToRead,
  mediaType: MediaType.MediaType | undefined,
  reconnector: Reconnector | undefined,
) => Value | Promise<Value>

type Value = E.Either<ClientError | AnyDecodedResponse, unknown>

/**
 * Creates a reader for a streamed representation. Returns `undefined` if the representation is not streamed or the
 * client cannot read it.
 */
export const streamReader = (
  plan: BodyPlan,
  jsonSettings: JsonSettings,
): ReadResponseStream | undefined => {
  const { format } = plan
  if (isTypedLater(plan)) return readFile
  return format._tag === 'MultipartOutput'
    ? multipartReader(plan, format, jsonSettings)
    : elementReader(plan, jsonSettings)
}

const readFile: ReadResponseStream = (source) => {
  const { headers } = source.response
  const chunks = readChunks(source)
  return E.right(
    createReceivedFile(headers, responseIterator(chunks, chunks), contentLength(headers)),
  )
}

/** Creates a reader for a stream of elements. Returns `undefined` for other representations. */
const elementReader = (
  plan: BodyPlan,
  jsonSettings: JsonSettings,
): ReadResponseStream | undefined => {
  const { stream } = bodyFormat(plan.format)
  if (stream === undefined) return undefined
  const element = stream.element(plan)
  const readElement = element === undefined ? E.right : bodyReader(element, jsonSettings)
  if (readElement === undefined) return undefined
  const { read, live } = stream
  return (source, contentType, reconnector) => {
    const errors = createReadErrors(source)
    const options = { contentType, readElement, maxBytes: source.limit, ...errors }
    if (live !== undefined) return E.right(readEvents(source, read, options, reconnector))
    const chunks = readChunks(source)
    const values = read(chunks, options)
    return E.right(
      responseIterator(
        E.isLeft(values) ? failing(errors.invalid(values.left)) : values.right,
        chunks,
      ),
    )
  }
}

const failing = (error: Error): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
})

/**
 * Creates a reader for a multipart body. The result is a record of all parts if the fields are declared, and a stream
 * of parts otherwise.
 */
const multipartReader = (
  plan: BodyPlan,
  { fields }: Extract<BodyPlan['format'], { readonly _tag: 'MultipartOutput' }>,
  jsonSettings: JsonSettings,
): ReadResponseStream | undefined => {
  const record = fields === undefined ? undefined : recordReader(fields, plan, jsonSettings)
  if (record !== undefined && E.isLeft(record)) return undefined
  return (source, mediaType) => {
    const chunks = readChunks(source, record === undefined ? undefined : source.timeout)
    const { invalid, tooLarge } = createReadErrors(source)
    const boundary = O.toUndefined(boundaryOf(mediaType))
    if (boundary === undefined) {
      chunks.close()
      return E.left(
        decodeError(
          source.operation,
          source.response,
          malformedBody('the media type has no valid boundary'),
        ),
      )
    }
    const bytes = record === undefined ? chunks : limited(chunks, source.limit, tooLarge)
    const parts = responseIterator(
      parseMultipart(bytes, boundary, (detail) => invalid(malformedBody(detail))),
      chunks,
    )
    return record === undefined ? E.right(parts) : readRecord(parts, source, record.right)
  }
}

/**
 * Throws an error after more than `limit` bytes. A record is limited as a whole, including the delimiters and headers of its parts,
 * because a service can send any number of empty parts.
 */
async function* limited(
  chunks: ChunkReader,
  limit: number,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array, undefined> {
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > limit) throw tooLarge()
    yield chunk
  }
}

/**
 * Reads all parts into a record before the call completes. The call can therefore return errors in the parts instead of
 * throwing them.
 */
const readRecord = async <A>(
  parts: ResponseIterator<A>,
  { operation, response }: ResponseToRead,
  read: (parts: ResponseIterator<A>) => Promise<E.Either<RequestFailure, unknown>>,
): Promise<Value> => {
  try {
    return E.mapLeft((failure: RequestFailure) => decodeError(operation, response, failure))(
      await read(parts),
    )
  } catch (error) {
    if (isCallFailed(error)) return E.left(error.failure)
    throw error
  }
}
