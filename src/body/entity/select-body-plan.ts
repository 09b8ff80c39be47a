/** Tells contents that the engine reads and writes from those for which a provider stands around the operation. */
import type { Codec } from '../../codec/codec.ts'
import type { EntityScope } from '../../endpoint/entity.ts'
import * as MediaType from '../../http/media-type.ts'
import type { BuiltInFormat, BodyPlan, ProvidedFormat } from '../body-plan.ts'

/** A content of the engine's own. */
export interface BuiltInBodyPlan extends BodyPlan {
  readonly format: BuiltInFormat
}

export const isBuiltIn = (content: BodyPlan): content is BuiltInBodyPlan =>
  content.format._tag !== 'Provider'

/** The codec of a content, where it has one. */
export const codecOfBody = ({ format }: BodyPlan): Codec | undefined =>
  'codec' in format ? format.codec : undefined

/** The alternative that a media type is read or written as, the narrowest; `undefined` when none has it. */
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

/** A provider in words: `reader of Book`. */
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
