/**
 * The functions for streams, multipart bodies, files, XML, HAL and other formats, and for custom readers and writers. A client loads
 * them with the first call of an operation that needs them. Pages that use only JSON and text are therefore smaller.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../http/headers.ts'
import * as MediaType from '../http/media-type.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import { encodeFor } from '../body/charset.ts'
import type { EntityProviders } from '../body/entity-plan.ts'
import { decodeText, readText } from '../body/decode-body.ts'
import type { TextSupport } from './response/plain-reader.ts'
import { codecOfBody } from '../body/body-plan.ts'
import { runFallibleInterceptors } from '../body/interceptors.ts'
import type { JsonSettings } from '../body/json/json-rules.ts'
import { settle, isBytes } from '../http/platform-value.ts'
import { isSource } from '../body/stream/open-source.ts'
import { compileCodec } from '../codec/compiled/compiled-codec.ts'
import type { Context } from '../endpoint/context.ts'
import type { WritingChange } from '../endpoint/interceptor.ts'
import type { Writer, Writing } from '../endpoint/writer.ts'
import type { ValidationError } from '../http/failure.ts'
import type { BodyEnvironment } from './request/body-writer.ts'
import { clientContext, bodyWriter, openFile, sourceWriter } from './request/body-writer.ts'
import { invalidSource, partsWriter } from './request/multipart-form.ts'
import type { FurtherBodies, Write, WriteStream } from './request/request-body.ts'
import { ambiguousMediaType } from './request/request-body.ts'
import type { WrittenBody } from './request/plain-body.ts'
import { withValidation, writeFailure, unwritableBody } from './request/plain-body.ts'

export { multipartFormWriter } from './request/multipart-form.ts'
export { entityReaders } from './response/buffered-response.ts'
export { streamReader } from './response/streamed-response.ts'
export { createReconnector } from './stream/event-stream.ts'

/** Creates the writers that {@link requestBody} needs for bodies that are not plain. */
export const furtherBodies = ({
  entities,
  endpoint,
  jsonSettings,
}: BodyEnvironment): FurtherBodies => {
  const context = clientContext(endpoint)
  return {
    valueWriter: (plan) => valueWriter(plan, jsonSettings),
    streamWriter: (plan) => streamWriter(plan, entities, jsonSettings),
    writeIntercepted: (...input) =>
      writeIntercepted(entities.writerInterceptors, context, ...input),
  }
}

const valueWriter = (plan: BodyPlan, jsonSettings: JsonSettings): Write | undefined => {
  const { format } = plan
  if (format._tag !== 'Provider') return bodyWriter(plan, jsonSettings)
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
  return async (value, writing) => {
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
  context: Context,
  plan: BodyPlan,
  write: Write,
  contentType: string,
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
      const inner = await write(writing.entity, writing)
      isOmitted = E.isRight(inner) && inner.right === undefined
      return E.map((content) => content ?? '')(inner)
    },
    toResult: (content) => toBytes(content, mediaType),
    onError: writeFailure,
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

/** Creates a writer for a stream, a file or a list of parts. Returns `undefined` for other representations. */
const streamWriter = (
  plan: BodyPlan,
  entities: EntityProviders,
  jsonSettings: JsonSettings,
): WriteStream | undefined => {
  switch (plan.format._tag) {
    case 'FileBody':
      return (value, contentType) => writeFileBody(value, plan, contentType)
    case 'MultipartInput':
    case 'MultipartStream':
      return partsWriter(entities, jsonSettings)
    default: {
      const open = sourceWriter(plan, jsonSettings)
      return (
        open &&
        ((value, contentType) =>
          !isSource(value)
            ? invalidSource
            : contentType === undefined
              ? ambiguousMediaType(plan)
              : E.right({ contentType, content: open(value, contentType), headers: Headers.empty }))
      )
    }
  }
}

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

/** The functions that read text in any charset. */
export const text: TextSupport = { decodeText, readText }
