/** The parts of a multipart body: their heads, their limits, and which of them are files. */
import type { PartHead } from '../../../body/part-head.ts'
import { parsePartHead } from '../../../body/part-head.ts'
import type { BodyStream } from '../body-stream.ts'
import type { Platform, RawPart } from '../../platform.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import { malformedMultipart, multipartTooLarge } from './multipart-limits.ts'
import type { Settings } from '../../../compiler/settings/settings.ts'
import type { SizeLimit } from '../../../compiler/settings/size-limit.ts'
import { ByteCollector } from '../../../http/byte-collector.ts'
import { failureError, readError } from '../../errors/failure-error.ts'
import type { MemoryReservation } from '../memory-reservation.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as Boundary from '../../../http/boundary.ts'
import * as MediaType from '../../../http/media-type.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as Text from '../../../body/text/read-text.ts'

export interface Part extends PartHead {
  readonly body: AsyncIterable<Uint8Array>
}

/** Yields the parts of a body. Rejects with an `HttpError` for a malformed body or too many parts. */
export async function* partsOf(
  { splitParts }: Pick<Platform, 'splitParts'>,
  chunks: BodyStream,
  stated: MediaType.MediaType | undefined,
  limits: MultipartLimits,
  free?: BodyStream['free'],
): AsyncGenerator<Part, undefined> {
  const boundary = O.toUndefined(Boundary.ofMediaType(stated))
  if (boundary === undefined)
    throw malformedMultipart('missing or invalid boundary in Content-Type')
  let parts = 0
  for await (const part of splitParts(chunks, boundary, limits, free)) {
    if (++parts > limits.parts)
      throw multipartTooLarge(
        `The form has more than ${limits.parts} fields (fw.http.limits.max-parameters).`,
      )
    yield partOf(part)
  }
}

const partOf = ({ headers, body: content }: RawPart): Part => {
  const head = parsePartHead(headers)
  if (O.isNone(head))
    throw malformedMultipart('part with a missing name or a malformed Content-Disposition')
  return { ...head.value, body: content }
}

/** Returns a predicate for files: parts with a file name, or with a media type of `fw.http.body.multipart.file-content-types`. */
export const filePartCheck = (settings: Settings): ((part: Part) => boolean) => {
  const ranges = settings['fw.http.body.multipart.file-content-types'].flatMap((text) => {
    const range = MediaType.parse(text)
    return O.isSome(range) ? [range.value] : []
  })
  return ({ fileName, mediaType }) =>
    fileName !== undefined ||
    (mediaType !== undefined && ranges.some((range) => MediaType.includes(range, mediaType)))
}

/** Yields the body of a part that is not a file. Rejects with 413 above the limit. */
export const attributeByteLimit = (part: Part, { bytes, setting }: SizeLimit): ByteGenerator =>
  limitBytes(part, bytes, () =>
    multipartTooLarge(
      `The form field ${quotedName(part)} has more than ${bytes} bytes (${setting}).`,
    ),
  )

/** Yields the body of a file. Rejects with 413 above the limit. */
export const fileByteLimit = (part: Part, { fileSize: most }: MultipartLimits): ByteGenerator =>
  limitBytes(part, most, () =>
    multipartTooLarge(
      `The file ${quotedName(part)} has more than ${most} bytes (fw.http.limits.max-multipart-file-size).`,
    ),
  )

export const tooManyFilesError = ({ files }: MultipartLimits): Error =>
  multipartTooLarge(`The form has more than ${files} files (fw.http.limits.max-multipart-files).`)

type ByteGenerator = AsyncGenerator<Uint8Array, undefined>

async function* limitBytes(
  { body: content }: Part,
  most: number,
  excess: () => Error,
): ByteGenerator {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > most) throw excess()
    yield chunk
  }
}

/** Quotes the name of a part, truncated to 100 characters. */
const quotedName = ({ name }: Part): string =>
  JSON.stringify(name.length > 100 ? `${name.slice(0, 99)}…` : name)

/** Buffers a part that is not a file. Rejects with 413 above the limit, and with 503 without free body memory. */
export const readAttribute = async (
  part: Part,
  { parsedAttribute }: MultipartLimits,
  reservation: MemoryReservation | undefined,
): Promise<Uint8Array> => {
  const collected = new ByteCollector()
  // copied, because the memory of a chunk is reused for the next one
  for await (const chunk of attributeByteLimit(part, parsedAttribute)) {
    if (reservation?.receive(chunk.length) === false) throw readError(reservation.rejected())
    collected.addCopy(chunk)
  }
  return collected.take()
}

/** Decodes the text of a part, in its charset or in the default one. Throws 415 for an unknown charset, and 400 for malformed bytes. */
export const attributeText = (bytes: Uint8Array, { charset }: Part, assumed: string): string => {
  const text = Text.decodeText(bytes, charset ?? assumed)
  if (E.isLeft(text)) throw failureError(text.left, '')
  return text.right
}
