/** Counts the octets of parts as they come. */
import type { MultipartLimits } from './multipart-limits.ts'
import type { Part } from './parts.ts'
import { tooLarge } from './refused.ts'

/** The content of a part that is no file. It rejects with 413 when it is too large. */
export const attributeOctets = (part: Part, { attribute: most }: MultipartLimits): Octets =>
  counted(part, most, () =>
    tooLarge(
      `The form field ${shown(part)} has more than ${most} octets (fw.http.limits.max-form-attribute-size).`,
    ),
  )

/** The content of a file. It rejects with 413 when it is too large. */
export const fileOctets = (part: Part, { file: most }: MultipartLimits): Octets =>
  counted(part, most, () =>
    tooLarge(
      `The file ${shown(part)} has more than ${most} octets (fw.http.limits.max-multipart-file-size).`,
    ),
  )

/** The error of a form with too many files. */
export const tooManyFiles = ({ files }: MultipartLimits): Error =>
  tooLarge(`The form has more than ${files} files (fw.http.limits.max-multipart-files).`)

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
