/** Representations and codecs inside representations: parts of forms and data of events. */
import type { Codec } from '../codec/codec.ts'
import { bodyFormat } from '../body/body-formats.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'

/** Returns the representations that write or read values: the nested ones, at any depth, or the given one. */
export const nestedRepresentations = (
  representation: AnyRepresentation,
): ReadonlyArray<AnyRepresentation> => {
  const { nested } = bodyFormat(representation.format)
  return nested.length === 0 ? [representation] : nested.flatMap(nestedRepresentations)
}

/** Returns the codecs of a format and of its nested representations. */
export const codecsOf = (
  format: AnyRepresentation['format'] | BodyPlan['format'],
): ReadonlyArray<Codec> => {
  const { codec, nested } = bodyFormat(format)
  const inner = nested.flatMap((one) => codecsOf(one.format))
  return codec === undefined ? inner : [codec, ...inner]
}
