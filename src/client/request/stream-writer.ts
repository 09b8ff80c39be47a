/** Writes streamed request bodies: sources, files and lists of parts. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bytesOnly } from '../../body/stream/framings.ts'
import { isSource } from '../../body/stream/open-source.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import { openFile } from './file-to-send.ts'
import { formBody } from './multipart-body.ts'
import type { PartsWriter } from './part-list.ts'
import { sourceChunks } from './source-chunks.ts'
import { textFraming } from './source-chunks.ts'
import type { WrittenBody } from './written-body.ts'
import { unwritable } from './written-body.ts'

/** `type` is what `Content-Type` says; `undefined` where the representation and the caller leave it open. */
export type WriteStream = (
  value: unknown,
  type: string | undefined,
) => WrittenBody | Promise<WrittenBody>

/** Prepares writing; `undefined` for a representation that is written as a whole, or not at all. */
export const streamWriter = (
  { format, mediaType }: BodyPlan,
  parts: PartsWriter,
): WriteStream | undefined => {
  switch (format._tag) {
    case 'ByteStream':
      return sourceWriter(() => bytesOnly)
    case 'TextStream':
      return (value, type) => sourceWriter(() => textFraming(type))(value, type)
    case 'FileBody':
      return (value, type) => fileWritten(value, mediaType, type)
    case 'MultipartInput':
    case 'MultipartStream':
      return async (value, type) =>
        pipe(
          await parts(value),
          E.map((all) => formBody(all, type)),
        )
    default:
      return undefined
  }
}

const sourceWriter =
  (framing: Parameters<typeof sourceChunks>[1]): WriteStream =>
  (value, type) =>
    !isSource(value)
      ? unwritable('must be a source: an iterable, a stream or an observable')
      : type === undefined
        ? open
        : E.right({
            contentType: type,
            content: () => sourceChunks(value, framing),
            headers: Headers.empty,
          })

const open = unwritable('is sent as one of several media types: say which one with "as"')

/** What the caller asks for comes before what the file says, and the file before the representation. */
const fileWritten = async (
  value: unknown,
  range: MediaType.MediaType,
  type: string | undefined,
): Promise<WrittenBody> => {
  const file = await openFile(value)
  if (E.isLeft(file)) return unwritable(file.left)
  const { blob, contentType } = file.right
  const own = contentType === undefined ? undefined : O.toUndefined(MediaType.parse(contentType))
  const fits = own !== undefined && MediaType.includes(range, own)
  const stated =
    type ?? (fits ? contentType : range.type === '*' ? 'application/octet-stream' : undefined)
  return stated === undefined
    ? open
    : E.right({ contentType: stated, content: blob, headers: Headers.empty })
}
