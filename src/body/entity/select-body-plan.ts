/**
 * Selects body plans by media type, and distinguishes built-in formats from formats that readers and writers of the application
 * provide.
 */
import type { Codec } from '../../codec/codec.ts'
import type { EntityScope } from '../../endpoint/entity.ts'
import * as MediaType from '../../http/media-type.ts'
import type { BuiltInFormat, BodyPlan, ProvidedFormat } from '../body-plan.ts'

/** A body plan with a built-in format. */
export interface BuiltInBodyPlan extends BodyPlan {
  readonly format: BuiltInFormat
}

/** Whether a body plan has a built-in format. */
export const isBuiltIn = (plan: BodyPlan): plan is BuiltInBodyPlan =>
  plan.format._tag !== 'Provider'

/** Returns the codec in a body plan, or `undefined` if there is none. */
export const codecOfBody = ({ format }: BodyPlan): Codec | undefined =>
  'codec' in format ? format.codec : undefined

/**
 * Returns the first plan that declares the media type. If there is none, returns the first plan with a range that includes the
 * media type.
 */
export const selectByMediaType = (
  mediaType: MediaType.MediaType | undefined,
  alternatives: ReadonlyArray<BodyPlan>,
): BodyPlan | undefined => {
  if (mediaType === undefined) return undefined
  let range: BodyPlan | undefined
  for (const plan of alternatives) {
    if (!MediaType.includes(plan.mediaType, mediaType)) continue
    if (!MediaType.isRange(plan.mediaType)) return plan
    range ??= plan
  }
  return range
}

/** Returns a title for the provider in a format, such as `reader of Book`. */
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
