/**
 * The form of a codec for somebody who may not see everything: a member that a restriction may hide may be missing. Whoever
 * wrote the value has decided; nothing of what is there is left out.
 */
import * as t from 'io-ts'
import { WithDefaultType } from './absence.ts'
import { intersection, tuple, union } from './assemble.ts'
import { AttemptType } from './attempt.ts'
import type { Codec } from './codec.ts'
import { SetType } from './collection.ts'
import { ConstrainedType, isConstrained } from './constraint.ts'
import { exact } from './exact.ts'
import type { KnownCodec } from './known-codec.ts'
import { isKnown } from './known-codec.ts'
import type { Projection } from './projection.ts'
import { isHidden, restrictionsIn } from './projection.ts'

/** The form of a codec, made once; the codec itself where it has no restriction. */
export const seen = (codec: Codec): Codec => {
  if (!isKnown(codec) || restrictionsIn(codec).length === 0) return codec
  const known = made.get(codec)
  if (known !== undefined) return known
  const form = remake(codec)
  made.set(codec, form)
  return form
}

const made = new WeakMap<Codec, Codec>()

/** Hides whatever can be hidden. */
const least: Projection = Object.freeze({ hides: () => true })

const remake = (codec: KnownCodec): Codec => {
  const { name } = codec
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
      return t.type(formsOf(codec.props), name)
    case 'PartialType':
      return t.partial(formsOf(codec.props), name)
    case 'DictionaryType':
      return t.record(codec.domain, seen(codec.codomain), name)
    case 'IntersectionType':
      return intersection(name, codec.types.map(seen))
    case 'UnionType': {
      const [first, ...others] = codec.types
      return union(name, seen(first), others.map(seen))
    }
    case 'TupleType':
      return tuple(name, codec.types.map(seen))
    case 'ArrayType':
      return t.array(seen(codec.type), name)
    case 'ReadonlyArrayType':
      return t.readonlyArray(seen(codec.type), name)
    case 'SetType':
      return new SetType(name, seen(codec.codec), codec.arrange)
    case 'ReadonlyType':
    case 'ExactType':
      return t.readonly(seen(codec.type), name)
    case 'RefinementType':
      return isConstrained(codec)
        ? new ConstrainedType(seen(codec.type), name, codec.constraint, codec.predicate)
        : t.refinement(seen(codec.type), codec.predicate, name)
    case 'RecursiveType':
      return t.recursion(name, () => seen(codec.type))
    case 'WithDefaultType':
      return new WithDefaultType(seen(codec.codec), codec.byDefault)
    case 'ExactlyType':
      return exact(seen(codec.codec))
    case 'AttemptType':
      return new AttemptType(seen(codec.codec))
    case 'RestrictedType':
    case 'XmlType':
    case 'EncodedType':
    case 'SeparatedType':
      return seen(codec.codec)
  }
}

const formsOf = (props: Readonly<Record<string, Codec>>): Record<string, Codec> =>
  Object.fromEntries(
    Object.entries(props).map(([key, member]) => [
      key,
      isHidden(member, least) ? t.union([seen(member), t.undefined], member.name) : seen(member),
    ]),
  )
