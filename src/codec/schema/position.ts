/** The positions of codecs within the codecs that enclose them. Other codecs for the same value can declare and hide members. */
import type { Codec } from '../codec.ts'
import { declaredCodecs } from '../structure/undeclared-members.ts'
import type { UndeclaredHandling } from '../structure/undeclared-members.ts'
import { containsObjects } from '../structure/known-codec.ts'
import type { Restriction } from '../structure/restricted-member.ts'
import { innerCodecs, reachableCodecs, restrictionsIn } from '../visibility/restrictions.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { fullVisibility, memberRestrictions } from '../visibility/visibility.ts'

/** Returns the codec that replaces a codec without known structure. */
export type LeafForm = (leaf: Codec) => Codec

/** The form in which codecs are not replaced. */
export const ownForm: LeafForm = (leaf) => leaf

/** The rules by which a codec is read. */
export interface SchemaRules {
  /** `strip` applies to values that are only encoded. Codecs that reject undeclared members do not change it. */
  readonly undeclared: UndeclaredHandling | 'strip'
  readonly visibility: Visibility
  readonly leafForm: LeafForm
}

/** The other codecs for the same value. */
export interface RelatedCodecs {
  /** The other codecs in the enclosing intersection. Members declared by one of these codecs are not rejected. */
  readonly siblings: ReadonlyArray<Codec>
  /**
   * The other codecs in an enclosing untagged union. Members that are hidden by one of these codecs are also hidden at this
   * position.
   */
  readonly alternatives: ReadonlyArray<Codec>
}

export interface CodecPosition extends SchemaRules, RelatedCodecs {}

export const rootPosition = (rules: SchemaRules): CodecPosition => ({
  ...rules,
  siblings: [],
  alternatives: [],
})

/** Returns the codecs that several codecs for the same value declare for a member, or for all members and elements without a name. */
export const declaredIn = (codecs: ReadonlyArray<Codec>, name?: string): ReadonlyArray<Codec> =>
  codecs.length === 0 ? codecs : distinct(codecs.flatMap(declaredCodecs(name)))

const distinct = (codecs: ReadonlyArray<Codec>): ReadonlyArray<Codec> => [...new Set(codecs)]

/** Returns the position of a member, or of all elements and members without a name. */
export const memberPosition = <P extends RelatedCodecs>(position: P, name?: string): P => {
  const { siblings, alternatives } = position
  return siblings.length === 0 && alternatives.length === 0
    ? position
    : {
        ...position,
        siblings: declaredIn(siblings, name),
        alternatives: declaredIn(alternatives, name),
      }
}

/** Returns the position of the codec with an index in an intersection. */
export const intersectionPosition = <P extends RelatedCodecs>(
  position: P,
  codecs: ReadonlyArray<Codec>,
  index: number,
): P => ({
  ...position,
  siblings: distinct([...position.siblings, ...codecs.filter((_, other) => other !== index)]),
})

/**
 * Returns the position of a codec in an untagged union. A value can match several codecs of the union. Therefore, if one of them
 * hides an object member, the member is hidden in all of them.
 */
export const unionPosition = <P extends RelatedCodecs>(
  position: P,
  codecs: ReadonlyArray<Codec>,
  codec: Codec,
): P => {
  const others = codecs.filter((other) => other !== codec && restrictionsIn(other).length > 0)
  return others.length === 0
    ? position
    : { ...position, alternatives: distinct([...position.alternatives, ...others]) }
}

/** Whether two positions have the same effect on a codec. */
export const isSamePosition = (a: CodecPosition, b: CodecPosition): boolean =>
  a === b ||
  (a.undeclared === b.undeclared &&
    a.visibility === b.visibility &&
    a.leafForm === b.leafForm &&
    areSameCodecs(a.siblings, b.siblings) &&
    areSameCodecs(a.alternatives, b.alternatives))

/** Whether two lists contain the same codecs in any order. */
export const areSameCodecs = (
  codecs: ReadonlyArray<Codec>,
  others: ReadonlyArray<Codec>,
): boolean => codecs.length === others.length && codecs.every((codec) => others.includes(codec))

/** Returns a function that tests whether an undeclared member with a name is rejected. */
export const rejectsAt =
  (position: CodecPosition) =>
  (name: string): boolean =>
    position.undeclared === 'reject' && memberPosition(position, name).siblings.length === 0

export const relatedCodecs = ({ siblings, alternatives }: RelatedCodecs): ReadonlyArray<Codec> => [
  ...siblings,
  ...alternatives,
]

/**
 * Returns a function that finds the restrictions of an object member: those of its own codec, and those of other codecs in the same
 * intersection or union.
 */
export const restrictionsAt =
  (position: CodecPosition) =>
  (name: string, member: Codec): ReadonlyArray<Restriction> =>
    position.visibility === fullVisibility
      ? []
      : [member, ...declaredIn(relatedCodecs(position), name)].flatMap(memberRestrictions)

/** Removes the related codecs of a position that neither hide nor declare members of a codec. */
export const relevantPosition = (codec: Codec, position: CodecPosition): CodecPosition => {
  const { siblings, alternatives } = position
  if (siblings.length === 0 && alternatives.length === 0) return position
  if (!containsObjects(codec) && !canDeclare(codec))
    return { ...position, siblings: [], alternatives: [] }
  const rejects =
    position.undeclared !== 'strip' && (position.undeclared === 'reject' || containsStrict(codec))
  return {
    ...position,
    siblings: siblings.filter((other) => isRestrictive(other) || (rejects && canDeclare(other))),
    alternatives: alternatives.filter(isRestrictive),
  }
}

const isRestrictive = (codec: Codec): boolean => restrictionsIn(codec).length > 0

const canDeclare = (codec: Codec): boolean => declaredIn([codec]).length > 0

const containsStrict = (codec: Codec): boolean =>
  reachableCodecs(codec, innerCodecs).some(({ _tag }) => _tag === 'ExactlyType')

/** The position of the keys of a record. */
export const keyPosition: CodecPosition = rootPosition({
  undeclared: 'drop',
  visibility: fullVisibility,
  leafForm: ownForm,
})
