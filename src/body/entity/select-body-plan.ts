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
 * Returns the body plan with the most specific media type or media range that includes `mediaType`. If multiple plans are equally
 * specific, returns the first one.
 *
 * ```text
 * text/plain;format=flowed   before   text/plain   before   text/*   before   *\/*
 * ```
 */
export const selectByMediaType = (
  mediaType: MediaType.MediaType | undefined,
  alternatives: ReadonlyArray<BodyPlan>,
): BodyPlan | undefined => {
  if (mediaType === undefined) return undefined
  let best: BodyPlan | undefined
  let bestSpecificity = 0
  for (const plan of alternatives) {
    const specificity = specificityOf(plan.mediaType)
    if (specificity <= bestSpecificity || !MediaType.includes(plan.mediaType, mediaType)) continue
    best = plan
    bestSpecificity = specificity
  }
  return best
}

/** Returns the specificity of a declared media type. `charset` does not count, because it does not identify a format. */
const specificityOf = (mediaType: MediaType.MediaType): number =>
  MediaType.specificity(
    mediaType.parameters.length === 0
      ? mediaType
      : {
          ...mediaType,
          parameters: mediaType.parameters.filter(([name]) => name !== 'charset' && name !== 'q'),
        },
  )

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
