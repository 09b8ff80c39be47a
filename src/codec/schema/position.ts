/** The positions of codecs within the codecs that enclose them. Other codecs for the same value can declare and hide members. */
import type { Codec } from '../codec.ts'
import { declaredCodecs } from '../structure/undeclared-members.ts'
import type { UndeclaredHandling } from '../structure/undeclared-members.ts'
import { restrictionsIn } from '../visibility/restrictions.ts'
import type { Visibility } from '../visibility/visibility.ts'
import {
  fullVisibility,
  hideAll,
  hidesMember,
  isHidden,
  partialView,
} from '../visibility/visibility.ts'

/** Returns the codec that replaces a codec without known structure. */
export type LeafForm = (leaf: Codec) => Codec

/** The form in which codecs are not replaced. */
export const ownForm: LeafForm = (leaf) => leaf

/** The rules by which a codec is read. */
export interface SchemaRules {
  readonly undeclared: UndeclaredHandling
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
 * Returns a function that tests whether an object member is hidden: by its own codec, or by another codec in the same intersection or
 * union.
 */
export const hidesAt = (position: CodecPosition): ((name: string, member: Codec) => boolean) => {
  const { visibility } = position
  if (visibility === fullVisibility) return () => false
  const isHiddenByOther = hidesMember(relatedCodecs(position), visibility)
  return (name, member) => isHidden(member, visibility) || isHiddenByOther(name)
}

/** Returns a function that tests whether a received object can lack a member, because a view or a role can hide it. */
export const lacksAt = (position: CodecPosition): ((name: string, member: Codec) => boolean) =>
  position.visibility === partialView ? hidesAt({ ...position, visibility: hideAll }) : () => false

/** The position of the keys of a record. */
export const keyPosition: CodecPosition = rootPosition({
  undeclared: 'drop',
  visibility: fullVisibility,
  leafForm: ownForm,
})
