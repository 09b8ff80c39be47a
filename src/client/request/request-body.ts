/** Selects the representation of a request body, and writes it through interceptors. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
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
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import { bodyWriter } from './body-writer.ts'
import { runInterceptors, settle } from '../run-interceptors.ts'
import type { BodyEnvironment } from '../body-environment.ts'
import type { PartsWriter } from './part-list.ts'
import { streamWriter } from './stream-writer.ts'
import type { RequestBody, Written, WrittenBody } from './written-body.ts'
import { checked, encoded, unwritable } from './written-body.ts'

/** `as` is the media type that the caller asks for. */
export type WriteBody = (
  value: unknown,
  as: string | undefined,
) => WrittenBody | Promise<WrittenBody>

/** Prepares a body, in pieces too where there are `parts`; `Left` with the media types for which a client has no writer. */
export const requestBody = (
  contents: ReadonlyArray<BodyPlan>,
  { entities: { writerInterceptors }, context, usual }: BodyEnvironment,
  parts?: PartsWriter,
): E.Either<ReadonlyArray<string>, WriteBody> => {
  const writers = contents.map((content) => ({ content, write: writerOf(content, usual) }))
  const streams = new Map(
    parts === undefined ? [] : contents.map((one) => [one, streamWriter(one, parts)] as const),
  )
  const unwritten = writers.filter(
    ({ content, write }) => write === undefined && streams.get(content) === undefined,
  )
  if (unwritten.length > 0) return E.left(unwritten.map(({ content }) => content.contentType))
  const byContent = new Map(writers.map(({ content, write = nobody }) => [content, write]))
  return E.right((value, as) => {
    const asked = as === undefined ? undefined : O.toUndefined(MediaType.parse(as))
    const content = as === undefined ? contents[0] : selectByMediaType(asked, contents)
    const write = content === undefined ? undefined : byContent.get(content)
    if (content === undefined || write === undefined)
      return unwritable(`cannot be sent as ${as}: it is read as ${named(contents)}`)
    if (asked !== undefined && isText(content) && !isUtf8Compatible(charsetOf(asked)))
      return unwritable(`cannot be sent as ${as}: what is text is sent in UTF-8`)
    const type = typeFor(content, asked)
    const stream = streams.get(content)
    if (stream !== undefined) return stream(value, type)
    if (type === undefined)
      return unwritable(`is sent as any of ${content.contentType}: say which one with "as"`)
    if (writerInterceptors.length === 0 && content.format._tag !== 'Provider') {
      const written = write(value, context)
      return written instanceof Promise
        ? written.then((one) => E.chain(bodyOf(type))(one))
        : E.chain(bodyOf(type))(written)
    }
    return through(writerInterceptors, content, write, type, context, value)
  })
}

const nobody: Write = () => unwritable('cannot be written')

const named = (contents: ReadonlyArray<BodyPlan>): string =>
  contents.map((content) => content.contentType).join(', ')

/** Whether the client itself makes the octets of a text. */
const isText = ({ format }: BodyPlan): boolean =>
  format._tag !== 'Bytes' && format._tag !== 'Custom' && format._tag !== 'Provider'

/** What `Content-Type` says; `undefined` where a range leaves it open. */
const typeFor = (
  { mediaType, contentType: declared, format }: BodyPlan,
  asked: MediaType.MediaType | undefined,
): string | undefined => {
  if (asked !== undefined && !MediaType.isRange(asked))
    return contentTypeOf(MediaType.format(asked), asked)
  if (!MediaType.isRange(mediaType)) return declared
  return (format._tag === 'Bytes' || format._tag === 'ByteStream') && mediaType.type === '*'
    ? 'application/octet-stream'
    : undefined
}

const bodyOf =
  (type: string) =>
  (content: string | Uint8Array | undefined): WrittenBody =>
    content === undefined
      ? E.right(undefined)
      : E.map((octets: string | Uint8Array): RequestBody => ({
          contentType: type,
          content: octets,
          headers: Headers.empty,
        }))(encoded(type, content))

type Write = (value: unknown, context: Context, writing?: Writing) => Written | Promise<Written>

const writerOf = (content: BodyPlan, usual: JsonSettings): Write | undefined => {
  const { format } = content
  if (format._tag !== 'Provider') return bodyWriter({ ...content, format }, usual)
  if (format.by._tag !== 'Writer') return undefined
  return provided(format.codec, format.by, usual)
}

/** A writer that is made for the codec is given its values, any other what the codec encodes. */
const provided = (
  codec: Parameters<typeof checked>[0],
  by: Writer,
  { backEnd }: JsonSettings,
): Write => {
  const { encode } = compileCodec(codec, 'drop', backEnd)
  const isOwn = by.scope._tag === 'Codec'
  const fit = checked(codec, backEnd, () => E.right(''))
  return async (value, _, writing) => {
    const checkedValue = fit(value)
    if (E.isLeft(checkedValue) || checkedValue.right === undefined || writing === undefined)
      return checkedValue
    return E.right(contentOf(await settle(by.run(isOwn ? value : encode(value), writing))))
  }
}

const contentOf = (content: unknown): string | Uint8Array => {
  if (typeof content === 'string' || content instanceof Uint8Array) return content
  throw new TypeError('a writer or interceptor must return a string or bytes')
}

const encoder = new TextEncoder()

/** Throws a `TypeError` for text that the charset of the media type does not have. */
const octetsOf = (content: unknown, mediaType: string): Uint8Array => {
  const written = contentOf(content)
  const octets = typeof written === 'string' ? encodeFor(mediaType, written) : written
  return typeof octets === 'string' ? encoder.encode(octets) : octets
}

const through = async (
  interceptors: EntityProviders['writerInterceptors'],
  content: BodyPlan,
  write: Write,
  type: string,
  context: Context,
  value: unknown,
): Promise<WrittenBody> => {
  let headers = Headers.empty
  let mediaType = type
  let isLeftOut = false
  const run = runInterceptors<Writing, WritingChange, Uint8Array, ReadonlyArray<ValidationError>>(
    interceptors,
    {
      inner: async (writing) => {
        mediaType = writing.mediaType
        const inner = await write(writing.entity, context, writing)
        isLeftOut = E.isRight(inner) && inner.right === undefined
        return E.map((one) => one ?? '')(inner)
      },
      toResult: (inner) => octetsOf(inner, mediaType),
      onError: (error) => unwritable(error instanceof Error ? error.message : 'cannot be written'),
    },
  )
  const written = await run({
    entity: value,
    mediaType: type,
    codec: codecOfBody(content),
    status: 0,
    headers: Headers.empty,
    addHeader: (name, text) => {
      if (name.toLowerCase() === 'content-type') mediaType = text
      else headers = Headers.append(headers, name, text)
    },
    context,
  })
  return E.map((octets: Uint8Array) =>
    isLeftOut ? undefined : { contentType: mediaType, content: octets, headers },
  )(written)
}
