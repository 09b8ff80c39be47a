/** Reads streamed and multipart response bodies. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { splitArrayOrLines, splitLines } from '../../codec/json/json-elements.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { malformedBody } from '../../body/read-body.ts'
import * as Boundary from '../../http/boundary.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type * as MediaType from '../../http/media-type.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import { CallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import { jsonReader } from './body-reader.ts'
import { decodeError } from '../error-factories.ts'
import { recordReader } from './multipart-record.ts'
import { parseMultipart } from './multipart-parser.ts'
import { eventDataDecoder } from '../stream/event-data.ts'
import type { Reconnector } from '../stream/reconnect.ts'
import { readEvents } from '../stream/event-stream.ts'
import { decodeJsonElements } from '../stream/decode-stream.ts'
import { receivedFile, contentLength } from '../stream/received-file.ts'
import type {
  ChunkReader,
  ReadErrors,
  ResponseIterator,
  ResponseToRead,
} from '../stream/response-stream.ts'
import { createReadErrors, readChunks, responseIterator } from '../stream/response-stream.ts'
import { decodeText } from '../stream/decode-stream.ts'

/** Returns the stream of a response body, or the value of a multipart record. `reconnector` resumes event streams. */
export type ReadStream = (
  source: ResponseToRead,
  mediaType: MediaType.MediaType | undefined,
  reconnector: Reconnector | undefined,
) => Value | Promise<Value>

type Value = E.Either<ClientError | AnyAnswer, unknown>

/** Prepares reading; `undefined` for a representation that is not streamed, or that a client does not read. */
export const streamReader = (
  content: BodyPlan,
  jsonSettings: JsonSettings,
): ReadStream | undefined => {
  const { format } = content
  switch (format._tag) {
    case 'ByteStream':
      return chunkReader((chunks) => iterate(chunks))
    case 'TextStream':
      return chunkReader(decodeText)
    case 'JsonStream': {
      const read = jsonReader(format.codec, content, jsonSettings)
      const split = format.isArray ? splitArrayOrLines : splitLines
      return chunkReader((chunks, _, errors, { limit }) =>
        decodeJsonElements(chunks, (fail) => split(limit, fail), read, errors),
      )
    }
    case 'EventStream': {
      const read = eventDataDecoder(format.data, content, jsonSettings)
      return read === undefined
        ? undefined
        : (source, _, reconnector) => E.right(readEvents(source, read, reconnector))
    }
    case 'File':
      return (source) => {
        const { headers } = source.response
        const chunks = readChunks(source)
        return E.right(
          receivedFile(headers, responseIterator(iterate(chunks), chunks), contentLength(headers)),
        )
      }
    case 'MultipartOutput':
      return multipartReader(content, format, jsonSettings)
    default:
      return undefined
  }
}

/** Prepares reading values from chunks. */
const chunkReader =
  (
    read: (
      chunks: ChunkReader,
      mediaType: MediaType.MediaType | undefined,
      errors: ReadErrors,
      source: ResponseToRead,
    ) => AsyncGenerator<unknown, undefined>,
  ): ReadStream =>
  (source, mediaType) => {
    const chunks = readChunks(source)
    const values = read(chunks, mediaType, createReadErrors(source), source)
    return E.right(responseIterator(values, chunks))
  }

async function* iterate<A>(chunks: AsyncIterable<A>): AsyncGenerator<A, undefined> {
  for await (const chunk of chunks) yield chunk
}

/** Prepares reading a stream of parts, or a record of all parts if its fields are declared. */
const multipartReader = (
  content: BodyPlan,
  { fields }: Extract<BodyPlan['format'], { readonly _tag: 'MultipartOutput' }>,
  jsonSettings: JsonSettings,
): ReadStream | undefined => {
  const record = fields === undefined ? undefined : recordReader(fields, content, jsonSettings)
  if (record !== undefined && E.isLeft(record)) return undefined
  return (source, mediaType) => {
    const chunks = readChunks(source, record === undefined ? undefined : source.timeout)
    const { invalid, tooLarge } = createReadErrors(source)
    const boundary = O.toUndefined(Boundary.ofMediaType(mediaType))
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
    const parts = responseIterator(
      parseMultipart(chunks, boundary, (detail) => invalid(malformedBody(detail))),
      chunks,
    )
    return record === undefined
      ? E.right(parts)
      : readRecord(parts, source, (all) => record.right(all, source.limit, tooLarge))
  }
}

/** Reads all parts before the call returns, so that its errors are results of the call. */
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
    if (error instanceof CallFailed) return E.left(error.failure)
    throw error
  }
}
