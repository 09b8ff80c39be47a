/** What representations carry: codecs, and other representations, as forms do for their parts and events for their data. */
import type { Codec } from '../codec/codec.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { ContentPlan } from '../body/content-plan.ts'

/** The representations by which values are written or read in the end: the given one, unless it carries others. */
export const innermost = (one: AnyRepresentation): ReadonlyArray<AnyRepresentation> => {
  const { format } = one
  if (format._tag === 'EventStream' && format.data._tag !== 'Codec') return innermost(format.data)
  return format._tag === 'MultipartOutput'
    ? (format.fields ?? []).flatMap(({ representation }) => innermost(representation))
    : [one]
}

/** The codecs of a format, also of what it carries. */
export const codecsOf = (
  format: AnyRepresentation['format'] | ContentPlan['format'],
): ReadonlyArray<Codec> => {
  switch (format._tag) {
    case 'EventStream':
      return format.data._tag === 'Codec' ? [format.data.codec] : codecsOf(format.data.format)
    case 'MultipartOutput':
      return (format.fields ?? []).flatMap(({ representation }) => codecsOf(representation.format))
    default:
      return 'codec' in format && format.codec !== undefined ? [format.codec] : []
  }
}
