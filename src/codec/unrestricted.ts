/** Removes restrictions on members from codecs. */
import * as t from 'io-ts'
import { annotate, isAnnotated } from './annotated.ts'
import type { Codec } from './codec.ts'
import { ConstrainedType, isConstrained } from './constraint.ts'
import { WithDefaultType } from './optional.ts'
import { combineAll, RestTupleType, SeparatedType, SetType } from './structure/collection-types.ts'
import {
  AttemptType,
  CombinedType,
  EncodedType,
  SegmentsType,
} from './structure/parameter-codecs.ts'
import { RestrictedType } from './structure/restricted-member.ts'
import { strict } from './strict.ts'
import type { KnownCodec } from './structure/known-codec.ts'
import { intersection } from './structure/merge.ts'
import { isKnown, XmlType } from './structure/known-codec.ts'
import { restrictionsIn } from './visibility/restrictions.ts'

/**
 * Returns a codec without view or role restrictions. Use it to encode values outside of responses, for example, to store them
 * in a database.
 *
 * The `encode` function of a codec with restricted members throws a `TypeError`, because it cannot determine which members to
 * omit.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { secureField, unrestricted } from 'espalier'
 *
 * const Member = t.type({ name: t.string, salary: secureField('payroll')(t.number) })
 * const ann = { name: 'Ann', salary: 7 }
 *
 * assert.throws(() => Member.encode(ann), TypeError)
 * assert.deepEqual(unrestricted(Member).encode(ann), { name: 'Ann', salary: 7 })
 * ```
 */
export const unrestricted = <C extends t.Mixed>(codec: C): t.Type<t.TypeOf<C>, t.OutputOf<C>> =>
  withoutRestrictions(codec)

const withoutRestrictions = (codec: Codec): Codec => {
  if (!isKnown(codec) || restrictionsIn(codec).length === 0) return codec
  const cached = unrestrictedForms.get(codec)
  if (cached !== undefined) return cached
  const form = rebuild(codec)
  unrestrictedForms.set(codec, form)
  return form
}

const unrestrictedForms = new WeakMap<Codec, Codec>()

const rebuild = (codec: KnownCodec): Codec => {
  if (isAnnotated(codec))
    return annotate(codec.annotations)(withoutRestrictions(codec.annotatedCodec))
  return codec._tag === 'RestrictedType'
    ? withoutRestrictions(codec.codec)
    : mapCodec(codec, { same: withoutRestrictions, inner: withoutRestrictions })
}

/** The functions that {@link mapCodec} applies to the component codecs of a codec. */
export interface CodecMapping {
  /** Returns the replacement for a component that describes the same value as the containing codec, such as a union member. */
  readonly same: (codec: Codec) => Codec
  /** Returns the replacement for a component that describes an object member or a collection element. */
  readonly inner: (codec: Codec) => Codec
}

/** Returns a copy of a codec in which the component codecs are replaced. The structure and the name stay the same. */
export const mapCodec = (codec: KnownCodec, { same, inner }: CodecMapping): Codec => {
  const { name } = codec
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
      return t.type(mapMembers(codec.props, inner), name)
    case 'PartialType':
      return t.partial(mapMembers(codec.props, inner), name)
    case 'DictionaryType':
      return t.record(codec.domain, inner(codec.codomain), name)
    case 'IntersectionType':
      return intersection(name, codec.types.map(same))
    case 'UnionType':
      return combineAll(t.union, codec.types.map(same), name)
    case 'TupleType':
      return combineAll(t.tuple, codec.types.map(inner), name)
    case 'RestTupleType': {
      const [first, ...others] = codec.elements
      return new RestTupleType([inner(first), ...others.map(inner)], inner(codec.rest))
    }
    case 'ArrayType':
      return t.array(inner(codec.type), name)
    case 'ReadonlyArrayType':
      return t.readonlyArray(inner(codec.type), name)
    case 'SetType':
      return new SetType(name, inner(codec.codec), codec.arrange)
    case 'SegmentsType':
      return new SegmentsType(inner(codec.codec))
    case 'ReadonlyType':
    case 'ExactType':
      return t.readonly(same(codec.type), name)
    case 'RefinementType':
      return isConstrained(codec)
        ? new ConstrainedType(same(codec.type), name, codec.constraint, codec.predicate)
        : t.refinement(same(codec.type), codec.predicate, name)
    case 'RecursiveType':
      return t.recursion(name, () => same(codec.type))
    case 'WithDefaultType':
      return new WithDefaultType(same(codec.codec), codec.defaultValue)
    case 'AttemptType':
      return new AttemptType(same(codec.codec))
    case 'EncodedType':
      return new EncodedType(same(codec.codec))
    case 'CombinedType':
      return new CombinedType(same(codec.codec))
    case 'SeparatedType':
      return new SeparatedType(codec.separator, same(codec.codec))
    case 'XmlType':
      return new XmlType(same(codec.codec), codec.mapping)
    case 'ExactlyType':
      return strict(same(codec.codec))
    case 'RestrictedType':
      return new RestrictedType(same(codec.codec), codec.restriction)
  }
}

const mapMembers = (
  props: Readonly<Record<string, Codec>>,
  inner: CodecMapping['inner'],
): Record<string, Codec> =>
  Object.fromEntries(Object.entries(props).map(([key, member]) => [key, inner(member)]))
