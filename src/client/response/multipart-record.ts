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
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import type { BodyPlan, BodyOptions } from '../../body/body-plan.ts'
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
    const record: Record<string, unknown> = {}
    for (const { name, read } of readers) {
      const value = await read(partsByName.get(name) ?? [])
      if (E.isLeft(value)) return E.left(withinPart(name, value.left))
      // an assignment would set the prototype for a field named `__proto__`
      Object.defineProperty(record, name, {
        value: value.right,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return E.right(record)
  })
}

const fieldReader = (
  plan: BodyPlan,
  isRepeated: boolean,
  jsonSettings: JsonSettings,
): Field['read'] | undefined => {
  if (plan.format._tag === 'Text' && plan.format.codec !== undefined)
    return textReader(plan.format.codec, isRepeated, jsonSettings)
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
  switch (plan.format._tag) {
    case 'File':
      return ({ part: { headers }, bytes }) =>
        E.right(createReceivedFile(headers, streamChunk(bytes), bytes.length))
    case 'ByteStream':
      return ({ bytes }) => E.right(streamChunk(bytes))
    case 'TextStream':
      return (part) => E.map((text: string) => streamChunk(text))(decodePartText(part))
    default: {
      const read = bodyReader(plan, jsonSettings)
      return read === undefined ? undefined : ({ part, bytes }) => read(bytes, part.mediaType)
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

/** Creates a reader for text parts. For a collection codec, each part contains one element. */
const textReader = (
  codec: Codec,
  isRepeated: boolean,
  { backEnd }: JsonSettings,
): Field['read'] => {
  const { isCollection, convert, keepsEmpty } = parameterShape(codec)
  const compiledCodec = compileCodec(codec, 'drop', backEnd)
  const liftText = (part: BufferedPart): Result =>
    E.map((text: string): unknown => (text === '' && !keepsEmpty ? undefined : convert(text)))(
      decodePartText(part),
    )
  const decodeLifted = (lifted: Result): ReadResult =>
    E.isLeft(lifted) ? lifted : decodeBody(compiledCodec, lifted.right)
  const readPart = (part: BufferedPart): ReadResult => decodeLifted(liftText(part))
  if (isRepeated)
    return async (parts) =>
      collectResults(await Promise.all(parts.map(async (part) => readPart(part))))
  if (isCollection) return (parts) => decodeLifted(collectResults(parts.map(liftText)))
  return ([first]) => (first === undefined ? E.right(undefined) : readPart(first))
}

const collectResults = (results: ReadonlyArray<Result>): Result => {
  const values: unknown[] = []
  for (const [index, result] of results.entries()) {
    if (E.isLeft(result)) return E.left(withinPart(String(index), result.left))
    values.push(result.right)
  }
  return E.right(values)
}

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
