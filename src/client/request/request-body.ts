/** Selects the representation of a request body, runs the writer interceptors, and writes the body. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { encodeFor } from '../../body/charset.ts'
import { contentTypeOf } from '../../body/declared-type.ts'
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { selectByMediaType, codecOfBody } from '../../body/entity/select-body-plan.ts'
import { charsetOf } from '../../body/read-body.ts'
import { isUtf8Compatible } from '../../http/charset-label.ts'
import type { Context } from '../../endpoint/context.ts'
import type { WritingChange } from '../../endpoint/interceptor.ts'
import type { Writer, Writing } from '../../endpoint/writer.ts'
import type { ValidationError } from '../../http/failure.ts'
import { bodyWriter, sourceChunks, textFraming } from './body-writer.ts'
import { runFallibleInterceptors } from '../../body/interceptors.ts'
import { settle } from '../../body/maybe-async.ts'
import type { BodyEnvironment } from './body-writer.ts'
import type { PartsWriter } from './multipart-body.ts'
import type { RequestBody, Written, WrittenBody } from './written-body.ts'
import { withValidation, encodeContent, unwritableBody, openFile } from './written-body.ts'
import { pipe } from 'fp-ts/lib/function.js'
import { bytesOnly } from '../../body/stream/framings.ts'
import { isSource } from '../../body/stream/open-source.ts'
import { formBody } from './multipart-body.ts'
import { isBytes, isError, isPromise } from '../../http/platform-value.ts'

/** Writes a request body. `as` is the media type selected by the caller. */
export type WriteRequestBody = (
  value: unknown,
  as: string | undefined,
) => WrittenBody | Promise<WrittenBody>

/**
 * Creates a writer for the request bodies of an operation. If there are any representations that the client cannot
 * write, returns a `Left` that contains their media types. If `writeParts` is omitted, streamed representations are not
 * supported.
 */
export const requestBody = (
  plans: ReadonlyArray<BodyPlan>,
  { entities: { writerInterceptors }, context, jsonSettings }: BodyEnvironment,
  writeParts?: PartsWriter,
): E.Either<ReadonlyArray<string>, WriteRequestBody> => {
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
  const writersByPlan = new Map(writers.map(({ plan, write = rejectValue }) => [plan, write]))
  return E.right((value, as) => {
    const selected = as === undefined ? undefined : O.toUndefined(MediaType.parse(as))
    const plan = as === undefined ? plans[0] : selectByMediaType(selected, plans)
    const write = plan === undefined ? undefined : writersByPlan.get(plan)
    if (plan === undefined || write === undefined)
      return unwritableBody(`cannot be sent as ${as}: the operation accepts ${typesOf(plans)}`)
    if (selected !== undefined && isText(plan) && !isUtf8Compatible(charsetOf(selected)))
      return unwritableBody(`cannot be sent as ${as}: text is always encoded in UTF-8`)
    const contentType = contentTypeFor(plan, selected)
    const stream = streams.get(plan)
    if (stream !== undefined) return stream(value, contentType)
    if (contentType === undefined) return ambiguousMediaType(plan)
    if (writerInterceptors.length === 0 && plan.format._tag !== 'Provider') {
      const written = write(value, context)
      return isPromise(written)
        ? written.then((result) => E.chain(toBody(contentType))(result))
        : E.chain(toBody(contentType))(written)
    }
    return writeIntercepted(writerInterceptors, plan, write, contentType, context, value)
  })
}

const rejectValue: Write = () => unwritableBody('cannot be written')

const typesOf = (plans: ReadonlyArray<BodyPlan>): string =>
  plans.map(({ contentType }) => contentType).join(', ')

/**
 * Whether the client itself converts the value to text. For other representations, the content is provided by the
 * caller or by a custom function.
 */
const isText = ({ format }: BodyPlan): boolean =>
  format._tag !== 'Bytes' && format._tag !== 'Custom' && format._tag !== 'Provider'

/**
 * Returns the `Content-Type` of the body. Returns `undefined` if a range of media types is declared and the caller must
 * select one of them.
 */
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

const ambiguousMediaType = ({
  contentType,
}: BodyPlan): E.Either<ReadonlyArray<ValidationError>, never> =>
  unwritableBody(
    `is declared as ${contentType}, which is not a concrete media type: select one with the \`as\` option`,
  )

const toBody =
  (contentType: string) =>
  (content: string | Uint8Array | undefined): WrittenBody =>
    content === undefined
      ? E.right(undefined)
      : E.map((encodedContent: string | Uint8Array): RequestBody => ({
          contentType,
          content: encodedContent,
          headers: Headers.empty,
        }))(encodeContent(contentType, content))

type Write = (value: unknown, context: Context, writing?: Writing) => Written | Promise<Written>

const valueWriter = (plan: BodyPlan, jsonSettings: JsonSettings): Write | undefined => {
  const { format } = plan
  if (format._tag !== 'Provider') return bodyWriter({ ...plan, format }, jsonSettings)
  if (format.by._tag !== 'Writer') return undefined
  return customWriter(format.codec, format.by, jsonSettings)
}

/**
 * Creates a function that calls a custom writer. A writer declared for a codec receives the original value. Any other
 * writer receives the encoded value.
 */
const customWriter = (
  codec: Parameters<typeof withValidation>[0],
  writer: Writer,
  { backEnd }: JsonSettings,
): Write => {
  const { encode } = compileCodec(codec, 'drop', backEnd)
  const writesCodec = writer.scope._tag === 'Codec'
  return async (value, _, writing) => {
    let completed: unknown
    const check = withValidation(codec, backEnd, (accepted) => {
      completed = accepted
      return E.right('')
    })
    const result = check(value)
    if (E.isLeft(result) || result.right === undefined || writing === undefined) return result
    const entity = writesCodec ? completed : encode(completed)
    return E.right(checkContent(await settle(writer.run(entity, writing))))
  }
}

const checkContent = (content: unknown): string | Uint8Array => {
  if (typeof content === 'string' || isBytes(content)) return content
  throw new TypeError('a writer or interceptor must return a string or bytes')
}

const encoder = new TextEncoder()

/**
 * Encodes text in the charset of a media type. Throws a `TypeError` if the charset cannot represent a character in the
 * text.
 */
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
  const run = runFallibleInterceptors<
    Writing,
    WritingChange,
    Uint8Array,
    ReadonlyArray<ValidationError>
  >(interceptors, {
    run: async (writing) => {
      mediaType = writing.mediaType
      const inner = await write(writing.entity, context, writing)
      isOmitted = E.isRight(inner) && inner.right === undefined
      return E.map((content) => content ?? '')(inner)
    },
    toResult: (content) => toBytes(content, mediaType),
    onError: (error) => unwritableBody(isError(error) ? error.message : 'cannot be written'),
  })
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

/**
 * Writes a streamed body. `contentType` is `undefined` if neither the representation nor the caller specifies a media
 * type.
 */
type WriteStream = (
  value: unknown,
  contentType: string | undefined,
) => WrittenBody | Promise<WrittenBody>

/** Creates a writer for a stream, a file or a list of parts. Returns `undefined` for other representations. */
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
      ? unwritableBody('must be a source: an iterable, a stream or an observable')
      : contentType === undefined
        ? ambiguousMediaType(plan)
        : E.right({
            contentType,
            content: () => sourceChunks(value, framing),
            headers: Headers.empty,
          })

/**
 * Writes a file. The media type is determined by the first rule that applies:
 *
 * - A media type selected by the caller or declared by the representation is used.
 * - If the representation declares a range that includes the media type of the file, that media type is used.
 * - If the representation accepts any media type, `application/octet-stream` is used.
 */
const writeFileBody = async (
  value: unknown,
  plan: BodyPlan,
  selected: string | undefined,
): Promise<WrittenBody> => {
  const file = await openFile(value)
  if (E.isLeft(file)) return unwritableBody(file.left)
  const { blob, contentType: fileType } = file.right
  const parsed = fileType === undefined ? undefined : O.toUndefined(MediaType.parse(fileType))
  const isIncluded = parsed !== undefined && MediaType.includes(plan.mediaType, parsed)
  const fallback = plan.mediaType.type === '*' ? 'application/octet-stream' : undefined
  const contentType = selected ?? (isIncluded ? fileType : fallback)
  return contentType === undefined
    ? ambiguousMediaType(plan)
    : E.right({ contentType, content: blob, headers: Headers.empty })
}
