/** Selects body plans by media type. Distinguishes built-in formats from application-defined ones. */
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

/** Returns the codec of a body plan, or `undefined` if the format has no codec. */
export const codecOfBody = ({ format }: BodyPlan): Codec | undefined =>
  'codec' in format ? format.codec : undefined

/**
 * Returns the first body plan whose media type matches. Media ranges are considered only if no plan declares a matching media
 * type.
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

/** Returns a description such as `reader of Book` for the reader or writer that handles a format. */
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
