/** Reads streamed and multipart response bodies. */
import * as E from 'fp-ts/lib/Either.js'
import type { DecodedBody, ReadBody } from '../../body/read-body.ts'
import {
  charsetOf,
  malformedBody,
  unsupportedCharsetFailure,
  whenRead,
  withinPart,
} from '../../body/read-body.ts'
import { chunkDecoder } from '../../body/read-text.ts'
import type { ElementSplitter, JsonElementError } from '../../codec/json/json-elements.ts'
import type * as MediaType from '../../http/media-type.ts'
import type {
  ReadErrors,
  ChunkReader,
  ResponseIterator,
  ResponseToRead,
} from '../stream/response-stream.ts'
import * as O from 'fp-ts/lib/Option.js'
import { splitArrayOrLines, splitLines } from '../../codec/json/json-elements.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { boundaryOf } from '../../http/part-headers.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { AnyDecodedResponse } from '../decoded-response.ts'
import { isCallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import { jsonReader } from './body-reader.ts'
import { decodeError } from '../error-factories.ts'
import { recordReader, createReceivedFile, contentLength } from './multipart-record.ts'
import { parseMultipart } from './multipart-parser.ts'
import { eventDataDecoder, readEvents } from '../stream/event-stream.ts'
import type { Reconnector } from '../stream/reconnector.ts'
import { createReadErrors, readChunks, responseIterator } from '../stream/response-stream.ts'

/** Decodes text in the charset of the media type. Empty chunks are omitted. */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  mediaType: MediaType.MediaType | undefined,
  { invalid }: ReadErrors,
): AsyncGenerator<string, undefined> {
  const decoder = chunkDecoder(charsetOf(mediaType))
  if (decoder === undefined) throw invalid(unsupportedCharsetFailure)
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder(chunk)
    } catch {
      throw invalid(malformedBody('malformed text'))
    }
  }
  for await (const chunk of bytes) {
    const text = decode(chunk)
    if (text !== '') yield text
  }
  const rest = decode()
  if (rest !== '') yield rest
}

/** Splits JSON into elements, and decodes each element as soon as it is complete. */
export async function* decodeJsonElements(
  bytes: AsyncIterable<Uint8Array>,
  createSplitter: (toError: (failure: JsonElementError) => Error) => ElementSplitter,
  decode: ReadBody,
  { invalid, tooLarge }: ReadErrors,
): AsyncGenerator<unknown, undefined> {
  const splitter = createSplitter((failure) =>
    failure._tag === 'TooLong' ? tooLarge() : invalid(malformedBody(failure.detail)),
  )
  let index = 0
  const valueOf = (value: DecodedBody): unknown => {
    if (E.isLeft(value)) throw invalid(withinPart(String(index), value.left))
    index++
    return value.right
  }
  const decodeElement = (element: Uint8Array): unknown =>
    whenRead(decode(element, undefined), valueOf)
  for await (const chunk of bytes)
    for (const element of splitter.take(chunk)) yield decodeElement(element)
  for (const element of splitter.end()) yield decodeElement(element)
}

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
  switch (format._tag) {
    case 'ByteStream':
      return chunkReader((chunks) => iterate(chunks))
    case 'TextStream':
      return chunkReader(decodeText)
    case 'JsonStream': {
      const read = jsonReader(format.codec, plan, jsonSettings)
      const split = format.isArray ? splitArrayOrLines : splitLines
      return chunkReader((chunks, _, errors, { limit }) =>
        decodeJsonElements(chunks, (fail) => split(limit, fail), read, errors),
      )
    }
    case 'EventStream': {
      const read = eventDataDecoder(format.data, plan, jsonSettings)
      return read === undefined
        ? undefined
        : (source, _, reconnector) => E.right(readEvents(source, read, reconnector))
    }
    case 'File':
      return (source) => {
        const { headers } = source.response
        const chunks = readChunks(source)
        return E.right(
          createReceivedFile(
            headers,
            responseIterator(iterate(chunks), chunks),
            contentLength(headers),
          ),
        )
      }
    case 'MultipartOutput':
      return multipartReader(plan, format, jsonSettings)
    default:
      return undefined
  }
}

/** Creates a reader from a function that decodes chunks to values. */
const chunkReader =
  (
    read: (
      chunks: ChunkReader,
      mediaType: MediaType.MediaType | undefined,
      errors: ReadErrors,
      source: ResponseToRead,
    ) => AsyncGenerator<unknown, undefined>,
  ): ReadResponseStream =>
  (source, mediaType) => {
    const chunks = readChunks(source)
    const values = read(chunks, mediaType, createReadErrors(source), source)
    return E.right(responseIterator(values, chunks))
  }

async function* iterate<A>(chunks: AsyncIterable<A>): AsyncGenerator<A, undefined> {
  for await (const chunk of chunks) yield chunk
}

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
