/** Selects the representation of a request body, and writes it through interceptors. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { encodeFor } from '../../body/text/charset.ts'
import { contentTypeOf } from '../../body/declared-type.ts'
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { selectByMediaType, codecOfBody } from '../../body/entity/select-body-plan.ts'
import { charsetOf, isUtf8Compatible } from '../../body/read-body.ts'
import type { Context } from '../../endpoint/context.ts'
import type { WritingChange } from '../../endpoint/interceptor.ts'
import type { Writer, Writing } from '../../endpoint/writer.ts'
import type { ValidationError } from '../../http/failure.ts'
import { bodyWriter, sourceChunks, textFraming } from './body-writer.ts'
import { runInterceptors, settle } from '../run-interceptors.ts'
import type { BodyEnvironment } from '../body-environment.ts'
import type { PartsWriter } from './multipart-body.ts'
import type { RequestBody, Written, WrittenBody } from './written-body.ts'
import { checked, encoded, unwritable } from './written-body.ts'
import { pipe } from 'fp-ts/lib/function.js'
import { bytesOnly } from '../../body/stream/framings.ts'
import { isSource } from '../../body/stream/open-source.ts'
import { openFile } from './file-to-send.ts'
import { formBody } from './multipart-body.ts'

/** Writes a body. `as` is the media type that the caller selects. */
export type WriteBody = (
  value: unknown,
  as: string | undefined,
) => WrittenBody | Promise<WrittenBody>

/**
 * Prepares writing a body; `Left` contains the media types that the client cannot write. Without `writeParts`, streamed
 * representations are not supported.
 */
export const requestBody = (
  plans: ReadonlyArray<BodyPlan>,
  { entities: { writerInterceptors }, context, jsonSettings }: BodyEnvironment,
  writeParts?: PartsWriter,
): E.Either<ReadonlyArray<string>, WriteBody> => {
  const writers = plans.map((plan) => ({ plan, write: valueWriter(plan, jsonSettings) }))
  const streams = new Map(
    writeParts === undefined
      ? []
      : plans.map((plan) => [plan, streamWriter(plan, writeParts)] as const),
  )
  const unsupported = writers.filter(
    ({ plan, write }) => write === undefined && streams.get(plan) === undefined,
  )
  if (unsupported.length > 0) return E.left(unsupported.map(({ plan }) => plan.contentType))
  const writersByPlan = new Map(writers.map(({ plan, write = cannotBeWritten }) => [plan, write]))
  return E.right((value, as) => {
    const selected = as === undefined ? undefined : O.toUndefined(MediaType.parse(as))
    const plan = as === undefined ? plans[0] : selectByMediaType(selected, plans)
    const write = plan === undefined ? undefined : writersByPlan.get(plan)
    if (plan === undefined || write === undefined)
      return unwritable(`cannot be sent as ${as}: the operation accepts ${typesOf(plans)}`)
    if (selected !== undefined && isText(plan) && !isUtf8Compatible(charsetOf(selected)))
      return unwritable(`cannot be sent as ${as}: text is encoded in UTF-8`)
    const contentType = contentTypeFor(plan, selected)
    const stream = streams.get(plan)
    if (stream !== undefined) return stream(value, contentType)
    if (contentType === undefined) return ambiguous(plan)
    if (writerInterceptors.length === 0 && plan.format._tag !== 'Provider') {
      const written = write(value, context)
      return written instanceof Promise
        ? written.then((result) => E.chain(toBody(contentType))(result))
        : E.chain(toBody(contentType))(written)
    }
    return writeIntercepted(writerInterceptors, plan, write, contentType, context, value)
  })
}

const cannotBeWritten: Write = () => unwritable('cannot be written')

const typesOf = (plans: ReadonlyArray<BodyPlan>): string =>
  plans.map(({ contentType }) => contentType).join(', ')

/** Whether the client itself encodes the text of a representation. */
const isText = ({ format }: BodyPlan): boolean =>
  format._tag !== 'Bytes' && format._tag !== 'Custom' && format._tag !== 'Provider'

/** Returns the `Content-Type`; `undefined` if a range of media types is declared and the caller has not selected one. */
const contentTypeFor = (
  { mediaType, contentType: declared, format }: BodyPlan,
  selected: MediaType.MediaType | undefined,
): string | undefined => {
  if (selected !== undefined && !MediaType.isRange(selected))
    return contentTypeOf(MediaType.format(selected), selected)
  if (!MediaType.isRange(mediaType)) return declared
  return (format._tag === 'Bytes' || format._tag === 'ByteStream') && mediaType.type === '*'
    ? 'application/octet-stream'
    : undefined
}

const ambiguous = ({ contentType }: BodyPlan): E.Either<ReadonlyArray<ValidationError>, never> =>
  unwritable(`is declared as ${contentType}: select a media type with the option "as"`)

const toBody =
  (contentType: string) =>
  (content: string | Uint8Array | undefined): WrittenBody =>
    content === undefined
      ? E.right(undefined)
      : E.map((encodedContent: string | Uint8Array): RequestBody => ({
          contentType,
          content: encodedContent,
          headers: Headers.empty,
        }))(encoded(contentType, content))

type Write = (value: unknown, context: Context, writing?: Writing) => Written | Promise<Written>

const valueWriter = (plan: BodyPlan, jsonSettings: JsonSettings): Write | undefined => {
  const { format } = plan
  if (format._tag !== 'Provider') return bodyWriter({ ...plan, format }, jsonSettings)
  if (format.by._tag !== 'Writer') return undefined
  return customWriter(format.codec, format.by, jsonSettings)
}

/** Prepares a custom writer. A writer of this codec receives the value, any other writer receives the encoded value. */
const customWriter = (
  codec: Parameters<typeof checked>[0],
  writer: Writer,
  { backEnd }: JsonSettings,
): Write => {
  const { encode } = compileCodec(codec, 'drop', backEnd)
  const writesCodec = writer.scope._tag === 'Codec'
  const check = checked(codec, backEnd, () => E.right(''))
  return async (value, _, writing) => {
    const result = check(value)
    if (E.isLeft(result) || result.right === undefined || writing === undefined) return result
    const entity = writesCodec ? value : encode(value)
    return E.right(checkContent(await settle(writer.run(entity, writing))))
  }
}

const checkContent = (content: unknown): string | Uint8Array => {
  if (typeof content === 'string' || content instanceof Uint8Array) return content
  throw new TypeError('a writer or interceptor must return a string or bytes')
}

const encoder = new TextEncoder()

/** Encodes text in the charset of a media type. Throws a `TypeError` for characters that the charset does not have. */
const toBytes = (content: unknown, mediaType: string): Uint8Array => {
  const checkedContent = checkContent(content)
  const result =
    typeof checkedContent === 'string' ? encodeFor(mediaType, checkedContent) : checkedContent
  return typeof result === 'string' ? encoder.encode(result) : result
}

const writeIntercepted = async (
  interceptors: EntityProviders['writerInterceptors'],
  plan: BodyPlan,
  write: Write,
  contentType: string,
  context: Context,
  value: unknown,
): Promise<WrittenBody> => {
  let headers = Headers.empty
  let mediaType = contentType
  let isOmitted = false
  const run = runInterceptors<Writing, WritingChange, Uint8Array, ReadonlyArray<ValidationError>>(
    interceptors,
    {
      inner: async (writing) => {
        mediaType = writing.mediaType
        const inner = await write(writing.entity, context, writing)
        isOmitted = E.isRight(inner) && inner.right === undefined
        return E.map((content) => content ?? '')(inner)
      },
      toResult: (content) => toBytes(content, mediaType),
      onError: (error) => unwritable(error instanceof Error ? error.message : 'cannot be written'),
    },
  )
  const written = await run({
    entity: value,
    mediaType: contentType,
    codec: codecOfBody(plan),
    status: 0,
    headers: Headers.empty,
    addHeader: (name, text) => {
      if (name.toLowerCase() === 'content-type') mediaType = text
      else headers = Headers.append(headers, name, text)
    },
    context,
  })
  return E.map((content: Uint8Array) =>
    isOmitted ? undefined : { contentType: mediaType, content, headers },
  )(written)
}

/** Writes a streamed body. `contentType` is `undefined` if neither the representation nor the caller selects a media type. */
type WriteStream = (
  value: unknown,
  contentType: string | undefined,
) => WrittenBody | Promise<WrittenBody>

/** Prepares writing a stream, a file or a list of parts; `undefined` for other representations. */
const streamWriter = (plan: BodyPlan, writeParts: PartsWriter): WriteStream | undefined => {
  switch (plan.format._tag) {
    case 'ByteStream':
      return sourceWriter(plan, () => bytesOnly)
    case 'TextStream':
      return (value, contentType) =>
        sourceWriter(plan, () => textFraming(contentType))(value, contentType)
    case 'FileBody':
      return (value, contentType) => writeFileBody(value, plan, contentType)
    case 'MultipartInput':
    case 'MultipartStream':
      return async (value, contentType) =>
        pipe(
          await writeParts(value),
          E.map((parts) => formBody(parts, contentType)),
        )
    default:
      return undefined
  }
}

const sourceWriter =
  (plan: BodyPlan, framing: Parameters<typeof sourceChunks>[1]): WriteStream =>
  (value, contentType) =>
    !isSource(value)
      ? unwritable('must be a source: an iterable, a stream or an observable')
      : contentType === undefined
        ? ambiguous(plan)
        : E.right({
            contentType,
            content: () => sourceChunks(value, framing),
            headers: Headers.empty,
          })

/** The media type is that of the call, of the file if the representation includes it, or `application/octet-stream`. */
const writeFileBody = async (
  value: unknown,
  plan: BodyPlan,
  selected: string | undefined,
): Promise<WrittenBody> => {
  const file = await openFile(value)
  if (E.isLeft(file)) return unwritable(file.left)
  const { blob, contentType: fileType } = file.right
  const parsed = fileType === undefined ? undefined : O.toUndefined(MediaType.parse(fileType))
  const isIncluded = parsed !== undefined && MediaType.includes(plan.mediaType, parsed)
  const fallback = plan.mediaType.type === '*' ? 'application/octet-stream' : undefined
  const contentType = selected ?? (isIncluded ? fileType : fallback)
  return contentType === undefined
    ? ambiguous(plan)
    : E.right({ contentType, content: blob, headers: Headers.empty })
}
