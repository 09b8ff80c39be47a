/** Selects body plans by media type, and distinguishes built-in formats from those of readers and writers. */
import type { Codec } from '../../codec/codec.ts'
import type { EntityScope } from '../../endpoint/entity.ts'
import * as MediaType from '../../http/media-type.ts'
import type { BuiltInFormat, BodyPlan, ProvidedFormat } from '../body-plan.ts'

/** A body plan with a built-in format. */
export interface BuiltInBodyPlan extends BodyPlan {
  readonly format: BuiltInFormat
}

export const isBuiltIn = (content: BodyPlan): content is BuiltInBodyPlan =>
  content.format._tag !== 'Provider'

/** Returns the codec of a body plan, if any. */
export const codecOfBody = ({ format }: BodyPlan): Codec | undefined =>
  'codec' in format ? format.codec : undefined

/** Selects the most specific plan that includes a media type. */
export const selectByMediaType = (
  mediaType: MediaType.MediaType | undefined,
  alternatives: ReadonlyArray<BodyPlan>,
): BodyPlan | undefined => {
  if (mediaType === undefined) return undefined
  let range: BodyPlan | undefined
  for (const one of alternatives) {
    if (!MediaType.includes(one.mediaType, mediaType)) continue
    if (!MediaType.isRange(one.mediaType)) return one
    range ??= one
  }
  return range
}

/** Returns the title of a provider, such as `reader of Book`. */
export const providerTitle = ({ by }: ProvidedFormat): string =>
  `${by._tag.toLowerCase()} of ${scopeName(by.scope)}`

const scopeName = (scope: EntityScope): string => {
  switch (scope._tag) {
    case 'Codec':
      return scope.codec.name
    case 'Name':
      return scope.name
    case 'Guard':
      return 'some entities'
    case 'Any':
      return 'every entity'
  }
}
