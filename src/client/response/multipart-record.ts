/**
 * Parses the parts of multipart responses, reads them into a record with the declared fields, and creates objects for received files.
 */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ReceivedFile } from '../../endpoint/file.ts'
import * as ContentDisposition from '../../http/content-disposition.ts'
import * as Headers from '../../http/headers.ts'
import * as E from 'fp-ts/lib/Either.js'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import type { Codec } from '../../codec/codec.ts'
import type { ParameterShape } from '../../codec/schema/parameter-shape.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import type { BodyPlan, BodyOptions } from '../../body/body-plan.ts'
import { isTypedLater } from '../../body/body-plan.ts'
import type { MediaType } from '../../http/media-type.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { decodeText, charsetOf, decodeBody, withinPart } from '../../body/decode-body.ts'
import type { ReadResult } from '../../body/decode-body.ts'
import type { OutputField } from '../../endpoint/representation.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { bodyReader } from './buffered-response.ts'
import { createPartParser } from '../../body/multipart/part-parser.ts'
import type { PartErrors } from '../../body/multipart/read-parts.ts'
import { partHead, readParts } from '../../body/multipart/read-parts.ts'
import type { PartHead } from '../../http/part-headers.ts'

/** Creates a received file from its bytes and the metadata in its headers. */
export const createReceivedFile = (
  headers: Headers.Headers,
  bytes: AsyncIterable<Uint8Array>,
  size: number | undefined,
): ReceivedFile => ({
  contentType: Headers.first(headers, 'content-type') ?? 'application/octet-stream',
  size,
  fileName: pipe(
    O.fromNullable(Headers.first(headers, 'content-disposition')),
    O.chain(ContentDisposition.parse),
    O.map(({ fileName }) => fileName),
    O.toUndefined,
  ),
  [Symbol.asyncIterator]: () => bytes[Symbol.asyncIterator](),
})

/**
 * Returns the value of `Content-Length`, or `undefined` if the header is missing or invalid. Also returns `undefined`
 * for a compressed body, because the header does not contain the decoded length.
 */
export const contentLength = (headers: Headers.Headers): number | undefined => {
  const length = Headers.first(headers, 'content-length')
  return length !== undefined &&
    /^\d{1,15}$/.test(length) &&
    Headers.first(headers, 'content-encoding') === undefined
    ? Number(length)
    : undefined
}

type Result = E.Either<RequestFailure, unknown>

/** A part with its buffered body. */
interface BufferedPart {
  readonly part: ResponsePart
  readonly bytes: Uint8Array
}

/** A declared field. `read` decodes all parts with the name of the field. */
interface Field {
  readonly name: string
  readonly read: (parts: ReadonlyArray<BufferedPart>) => ReadResult
}

/** Reads all parts into a record. */
export type ReadRecord = (parts: AsyncIterable<ResponsePart>) => Promise<Result>

/**
 * Creates a record reader. If there are any fields that the client cannot read, returns a `Left` that contains the
 * unsupported media types.
 */
export const recordReader = (
  fields: ReadonlyArray<OutputField>,
  options: BodyOptions,
  jsonSettings: JsonSettings,
): E.Either<ReadonlyArray<string>, ReadRecord> => {
  const readers: Field[] = []
  const unreadable: string[] = []
  for (const field of fields) {
    const [plan] = bodyPlans([field.representation], [], options)
    const read = plan === undefined ? undefined : fieldReader(plan, field.isRepeated, jsonSettings)
    if (read === undefined) unreadable.push(field.representation.mediaType)
    else readers.push({ name: field.name, read })
  }
  if (unreadable.length > 0) return E.left(unreadable)
  return E.right(async (parts) => {
    const partsByName = new Map<string, BufferedPart[]>(readers.map(({ name }) => [name, []]))
    for await (const part of parts) {
      const collector = new ByteCollector()
      for await (const chunk of part.content) collector.add(chunk)
      partsByName.get(part.name)?.push({ part, bytes: collector.take() })
    }
    const record: Array<readonly [name: string, value: unknown]> = []
    for (const { name, read } of readers) {
      const value = await read(partsByName.get(name) ?? [])
      if (E.isLeft(value)) return E.left(withinPart(name, value.left))
      record.push([name, value.right])
    }
    return E.right(Object.fromEntries(record))
  })
}

const fieldReader = (
  plan: BodyPlan,
  isRepeated: boolean,
  jsonSettings: JsonSettings,
): Field['read'] | undefined => {
  const { format } = plan
  if (format._tag === 'Text' && format.codec !== undefined && !isRepeated) {
    const shape = parameterShape(format.codec)
    if (shape.isCollection) return collectionReader(format.codec, shape, jsonSettings)
  }
  const read = partReader(plan, jsonSettings)
  if (read === undefined) return undefined
  return isRepeated
    ? async (parts) => collectResults(await Promise.all(parts.map(async (part) => read(part))))
    : ([first]) => (first === undefined ? E.right(undefined) : read(first))
}

const partReader = (
  plan: BodyPlan,
  jsonSettings: JsonSettings,
): ((part: BufferedPart) => ReadResult) | undefined => {
  if (isTypedLater(plan))
    return ({ part: { headers }, bytes }) =>
      E.right(createReceivedFile(headers, streamChunk(bytes), bytes.length))
  switch (plan.format._tag) {
    case 'ByteStream':
      return ({ bytes }) => E.right(streamChunk(bytes))
    case 'TextStream':
      return (part) => E.map((text: string) => streamChunk(text))(decodePartText(part))
    default: {
      const read = bodyReader(plan, jsonSettings)
      return read === undefined
        ? undefined
        : ({ part, bytes }) => read(bytes, part.mediaType ?? plainText)
    }
  }
}

const decodePartText = ({ part, bytes }: BufferedPart): E.Either<RequestFailure, string> =>
  decodeText(bytes, charsetOf(part.mediaType))

/** Returns an async iterable that yields the chunk, or nothing if the chunk is empty. */
const streamChunk = <A extends { readonly length: number }>(chunk: A): AsyncIterable<A> => ({
  async *[Symbol.asyncIterator]() {
    if (chunk.length > 0) yield chunk
  },
})

/** Media type of a part without `Content-Type` (RFC 7578, 4.4). */
const plainText: MediaType = { type: 'text', subtype: 'plain', parameters: [] }

/** Creates a reader for a collection. Each part contains the text of one element. */
const collectionReader = (
  codec: Codec,
  { convert, keepsEmpty }: ParameterShape,
  { backEnd }: JsonSettings,
): Field['read'] => {
  const compiledCodec = compileCodec(codec, 'drop', backEnd)
  const convertText = E.map((text: string): unknown =>
    text === '' && !keepsEmpty ? undefined : convert(text),
  )
  return (parts) => {
    const values = collectResults(parts.map((part) => convertText(decodePartText(part))))
    return E.isLeft(values) ? values : decodeBody(compiledCodec, values.right)
  }
}

const collectResults: (results: ReadonlyArray<Result>) => Result = E.traverseArrayWithIndex(
  (index: number, result: Result) =>
    E.mapLeft((failure: RequestFailure) => withinPart(String(index), failure))(result),
)

/** A part of a multipart body. */
export interface ResponsePart extends PartHead {
  /** Body of the part. Requesting the next part skips any unread bytes. */
  readonly content: AsyncIterable<Uint8Array>
}

const limits = {
  headerSize: 16 * 1024,
  headerSizeName: 'maximum of the client',
  headerCount: Infinity,
  headerCountName: '',
}

/**
 * Parses the parts in order. If the body is malformed, throws the error created by `malformed`. Data after the closing
 * delimiter is ignored.
 */
export async function* parseMultipart(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  malformed: (detail: string) => Error,
): AsyncGenerator<ResponsePart, undefined> {
  const errors: PartErrors = { malformed, tooLarge: malformed }
  const parts = readParts({
    chunks,
    boundary,
    loadParser: () => createPartParser,
    limits,
    errors,
    allowsSharedLineBreak: true,
  })
  for await (const { headers, body } of parts) yield { ...partHead(headers, errors), content: body }
}
