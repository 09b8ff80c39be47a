/** Rebuilds a codec from mapped parts. */
import * as t from 'io-ts'
import { WithDefaultType } from '../optional.ts'
import { intersection, tuple, union } from './combine.ts'
import { AttemptType } from '../parameter/attempt.ts'
import type { Codec } from '../codec.ts'
import { SetType } from '../collection.ts'
import { ConstrainedType, isConstrained } from '../constraint.ts'
import type { KnownCodec } from './known-codec.ts'
import { recursive } from './recursive.ts'

/** Functions that map the parts of a codec. */
export interface CodecMapping {
  /** Maps a part that describes the same value. */
  readonly same: (codec: Codec) => Codec
  /** Maps a member or an element. */
  readonly inner: (codec: Codec) => Codec
}

/** Codecs that wrap another codec without changing how its parts are combined. */
type Wrapper = Extract<
  KnownCodec,
  { readonly _tag: 'RestrictedType' | 'ExactlyType' | 'XmlType' | 'EncodedType' | 'SeparatedType' }
>

/** Returns a codec with the same structure and name, whose parts are mapped. */
export const mapCodec = (
  codec: Exclude<KnownCodec, Wrapper>,
  { same, inner }: CodecMapping,
): Codec => {
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
    case 'UnionType': {
      const [first, ...others] = codec.types
      return union(name, same(first), others.map(same))
    }
    case 'TupleType':
      return tuple(name, codec.types.map(inner))
    case 'ArrayType':
      return t.array(inner(codec.type), name)
    case 'ReadonlyArrayType':
      return t.readonlyArray(inner(codec.type), name)
    case 'SetType':
      return new SetType(name, inner(codec.codec), codec.arrange)
    case 'ReadonlyType':
    case 'ExactType':
      return t.readonly(same(codec.type), name)
    case 'RefinementType':
      return isConstrained(codec)
        ? new ConstrainedType(same(codec.type), name, codec.constraint, codec.predicate)
        : t.refinement(same(codec.type), codec.predicate, name)
    case 'RecursiveType':
      return recursive(name, () => same(codec.type))
    case 'WithDefaultType':
      return new WithDefaultType(same(codec.codec), codec.defaultValue)
    case 'AttemptType':
      return new AttemptType(same(codec.codec))
  }
}

const mapMembers = (
  props: Readonly<Record<string, Codec>>,
  inner: CodecMapping['inner'],
): Record<string, Codec> =>
  Object.fromEntries(Object.entries(props).map(([key, member]) => [key, inner(member)]))
