/** Reads contents that come in pieces, or in parts, in one of the representations that were declared for their status. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { splitArrayOrLines, splitLines } from '../../codec/json/json-elements.ts'
import type { ContentPlan } from '../../body/content-plan.ts'
import type { Usual } from '../../body/json/json-rules.ts'
import { failureOf } from '../../body/read-body.ts'
import * as Boundary from '../../http/boundary.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type * as MediaType from '../../http/media-type.ts'
import type { AnyAnswer } from '../decoded-response.ts'
import { CallFailed } from '../call-failed.ts'
import type { ClientError } from '../client-error.ts'
import { jsonReader } from './body-reader.ts'
import { decodeError } from '../error-factories.ts'
import { recordReader } from './multipart-record.ts'
import { splitParts } from './multipart-parser.ts'
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

/** The value of a content, which goes on with the response; or why there is none. */
export type ReadStream = (
  source: ResponseToRead,
  stated: MediaType.MediaType | undefined,
  again: Reconnector | undefined,
) => Value | Promise<Value>

type Value = E.Either<ClientError | AnyAnswer, unknown>

/** Prepares reading; `undefined` for a representation that does not come in pieces, or that a client does not read. */
export const streamReader = (content: ContentPlan, usual: Usual): ReadStream | undefined => {
  const { format } = content
  switch (format._tag) {
    case 'ByteStream':
      return simply((octets) => each(octets))
    case 'TextStream':
      return simply(decodeText)
    case 'JsonStream': {
      const read = jsonReader(format.codec, content, usual)
      const split = format.isArray ? splitArrayOrLines : splitLines
      return simply((octets, _, errors, { limit }) =>
        decodeJsonElements(octets, (fail) => split(limit, fail), read, errors),
      )
    }
    case 'EventStream': {
      const read = eventDataDecoder(format.data, content, usual)
      return read === undefined
        ? undefined
        : (source, _, again) => E.right(readEvents(source, read, again))
    }
    case 'File':
      return (source) => {
        const { headers } = source.response
        const octets = readChunks(source)
        return E.right(
          receivedFile(headers, responseIterator(each(octets), octets), contentLength(headers)),
        )
      }
    case 'MultipartOutput':
      return multipartReader(content, format, usual)
    default:
      return undefined
  }
}

/** What is read from the octets alone. */
const simply =
  (
    read: (
      octets: ChunkReader,
      stated: MediaType.MediaType | undefined,
      errors: ReadErrors,
      source: ResponseToRead,
    ) => AsyncGenerator<unknown, undefined>,
  ): ReadStream =>
  (source, stated) => {
    const octets = readChunks(source)
    return E.right(responseIterator(read(octets, stated, createReadErrors(source), source), octets))
  }

async function* each<A>(pieces: AsyncIterable<A>): AsyncGenerator<A, undefined> {
  for await (const piece of pieces) yield piece
}

/** Parts as they come, or all of them in a record. */
const multipartReader = (
  content: ContentPlan,
  { fields }: Extract<ContentPlan['format'], { readonly _tag: 'MultipartOutput' }>,
  usual: Usual,
): ReadStream | undefined => {
  const record = fields === undefined ? undefined : recordReader(fields, content, usual)
  if (record !== undefined && E.isLeft(record)) return undefined
  return (source, stated) => {
    const octets = readChunks(source, record === undefined ? undefined : source.timeout)
    const { invalid, tooLarge } = createReadErrors(source)
    const boundary = O.toUndefined(Boundary.ofMediaType(stated))
    if (boundary === undefined) {
      octets.close()
      return E.left(
        decodeError(
          source.operation,
          source.response,
          failureOf('its media type has no boundary that can be used'),
        ),
      )
    }
    const parts = responseIterator(
      splitParts(octets, boundary, (detail) => invalid(failureOf(detail))),
      octets,
    )
    return record === undefined
      ? E.right(parts)
      : whole(parts, source, (all) => record.right(all, source.limit, tooLarge))
  }
}

/** Reads all of something now: what goes wrong with it is an outcome of the call. */
const whole = async <A>(
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
