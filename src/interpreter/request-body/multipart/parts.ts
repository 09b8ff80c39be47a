/** The parts of a form as they come, with what their header sections say. */
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

/** Takes the content of a request apart, as `SplitParts` does. It rejects with an `HttpError` when it cannot be, or when there are too many parts. */
export async function* partsOf(
  { splitParts }: Pick<Platform, 'splitParts'>,
  chunks: BodyStream,
  stated: MediaType.MediaType | undefined,
  limits: MultipartLimits,
  free?: BodyStream['free'],
): AsyncGenerator<Part, undefined> {
  const boundary = O.toUndefined(Boundary.ofMediaType(stated))
  if (boundary === undefined)
    throw malformedMultipart('its media type has no boundary that can be used')
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
    throw malformedMultipart('a part has no name, or its Content-Disposition is malformed')
  return { ...head.value, body: content }
}

/** Whether a part has the name of a file, or one of the media types that the settings name. */
export const filePartCheck = (settings: Settings): ((part: Part) => boolean) => {
  const ranges = settings['fw.http.body.multipart.file-content-types'].flatMap((text) => {
    const range = MediaType.parse(text)
    return O.isSome(range) ? [range.value] : []
  })
  return ({ fileName, mediaType }) =>
    fileName !== undefined ||
    (mediaType !== undefined && ranges.some((range) => MediaType.includes(range, mediaType)))
}

/** The bytes of a part that is not a file. Rejects with 413 if there are more than `limit` allows. */
export const attributeByteLimit = (part: Part, { bytes, setting }: SizeLimit): ByteGenerator =>
  counted(part, bytes, () =>
    multipartTooLarge(`The form field ${shown(part)} has more than ${bytes} bytes (${setting}).`),
  )

/** The content of a file. It rejects with 413 when it is too large. */
export const fileByteLimit = (part: Part, { fileSize: most }: MultipartLimits): ByteGenerator =>
  counted(part, most, () =>
    multipartTooLarge(
      `The file ${shown(part)} has more than ${most} bytes (fw.http.limits.max-multipart-file-size).`,
    ),
  )

/** The error of a form with too many files. */
export const tooManyFilesError = ({ files }: MultipartLimits): Error =>
  multipartTooLarge(`The form has more than ${files} files (fw.http.limits.max-multipart-files).`)

type ByteGenerator = AsyncGenerator<Uint8Array, undefined>

async function* counted({ body: content }: Part, most: number, excess: () => Error): ByteGenerator {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > most) throw excess()
    yield chunk
  }
}

/** A name that a client has chosen, as long as a sentence can bear. */
const shown = ({ name }: Part): string =>
  JSON.stringify(name.length > 100 ? `${name.slice(0, 99)}…` : name)

/** The bytes of an attribute. Rejects with 413 when they are too many, and with 503 without free body memory. */
export const readAttribute = async (
  part: Part,
  { parsedAttribute }: MultipartLimits,
  reservation: MemoryReservation | undefined,
): Promise<Uint8Array> => {
  const collected = new ByteCollector()
  // copied, because the memory of a chunk is free when the next is asked for
  for await (const chunk of attributeByteLimit(part, parsedAttribute)) {
    if (reservation?.receive(chunk.length) === false) throw readError(reservation.rejected())
    collected.addCopy(chunk)
  }
  return collected.take()
}

/**
 * The text of an attribute, in the charset that the part states, otherwise in the assumed one. Throws 415 for a charset that is
 * not known, 400 for bytes that are not of it.
 */
export const attributeText = (bytes: Uint8Array, { charset }: Part, assumed: string): string => {
  const text = Text.decodeText(bytes, charset ?? assumed)
  if (E.isLeft(text)) throw failureError(text.left, '')
  return text.right
}
