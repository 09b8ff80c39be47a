/** Counts the octets of parts as they come. */
import type { SizeLimit } from '../../../compiler/settings/size-limit.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import type { Part } from './parts.ts'
import { multipartTooLarge } from './rejected.ts'

/** The bytes of a part that is not a file. Rejects with 413 if there are more than `limit` allows. */
export const attributeByteLimit = (part: Part, { bytes, setting }: SizeLimit): Octets =>
  counted(part, bytes, () =>
    multipartTooLarge(`The form field ${shown(part)} has more than ${bytes} octets (${setting}).`),
  )

/** The content of a file. It rejects with 413 when it is too large. */
export const fileByteLimit = (part: Part, { file: most }: MultipartLimits): Octets =>
  counted(part, most, () =>
    multipartTooLarge(
      `The file ${shown(part)} has more than ${most} octets (fw.http.limits.max-multipart-file-size).`,
    ),
  )

/** The error of a form with too many files. */
export const tooManyFiles = ({ files }: MultipartLimits): Error =>
  multipartTooLarge(`The form has more than ${files} files (fw.http.limits.max-multipart-files).`)

type Octets = AsyncGenerator<Uint8Array, undefined>

async function* counted({ content }: Part, most: number, excess: () => Error): Octets {
  let octets = 0
  for await (const piece of content) {
    octets += piece.length
    if (octets > most) throw excess()
    yield piece
  }
}

/** A name that a client has chosen, as long as a sentence can bear. */
const shown = ({ name }: Part): string =>
  JSON.stringify(name.length > 100 ? `${name.slice(0, 99)}…` : name)
