/** Declared charsets that cannot be written, as remedies of configuration errors. */
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import { bodyFormat } from '../body-formats.ts'
import { charsetOfMediaType, charsetRemedy } from './charset.ts'
import { parseDeclaredType } from '../declared-type.ts'

/** Checks representations that are written, with the data of their events and the fields of their forms. */
export const charsetErrors = (
  representations: ReadonlyArray<AnyRepresentation>,
): ReadonlyArray<string> => representations.flatMap(remedies)

const remedies = ({ mediaType, format }: AnyRepresentation): ReadonlyArray<string> => {
  const declared = parseDeclaredType(mediaType)
  // readers and writers decide about the media types of entities
  if (declared === undefined || format._tag === 'Entity') return none
  const remedy = charsetRemedy({ mediaType: declared.mediaType, format })
  const { nested } = bodyFormat(format)
  const inside = format._tag === 'EventStream' ? nested.flatMap(eventData) : charsetErrors(nested)
  return remedy === undefined ? inside : [remedy, ...inside]
}

/** Event streams are UTF-8, so their data must be UTF-8, or US-ASCII as a subset. */
const eventData = (data: AnyRepresentation): ReadonlyArray<string> => {
  const declared = parseDeclaredType(data.mediaType)
  const charset = declared === undefined ? undefined : charsetOfMediaType(declared.mediaType)
  return charset === undefined || charset === 'us-ascii'
    ? remedies(data)
    : [`${data.mediaType}: event streams are UTF-8: omit the charset`]
}

const none: ReadonlyArray<never> = []
