/**
 * The io-ts codecs and codecs of this package that combine or wrap other codecs, as a union. The compiler checks that a
 * `switch` over `_tag` is complete.
 */
import type * as t from 'io-ts'
import type { WithDefaultType } from '../optional.ts'
import type { AttemptType } from '../parameter/attempt.ts'
import type { Codec } from '../codec.ts'
import type { SeparatedType, SetType } from '../collection.ts'
import type { EncodedType } from '../parameter/encoded.ts'
import type { RestrictedType } from '../visibility/restricted-member.ts'
import { children, members } from './codec-structure.ts'
import type { XmlType } from './xml-type.ts'

type Props = Readonly<Record<string, Codec>>

export type KnownCodec =
  | t.InterfaceType<Props>
  | t.StrictType<Props>
  | t.PartialType<Props>
  | t.DictionaryType<Codec, Codec>
  | t.IntersectionType<Codec[]>
  | t.UnionType<[Codec, ...Codec[]]>
  | t.TupleType<Codec[]>
  | t.ArrayType<Codec>
  | t.ReadonlyArrayType<Codec>
  | t.ReadonlyType<Codec>
  | t.ExactType<Codec>
  | t.RefinementType<Codec>
  | t.RecursiveType<Codec>
  | SetType<Codec>
  | SeparatedType<Codec>
  | WithDefaultType<Codec>
  | EncodedType<Codec>
  | AttemptType<Codec>
  | RestrictedType<Codec>
  | Exactly
  | XmlType<Codec>

/** The shape of `ExactlyType`. Importing the class would be a cycle. */
type Exactly = t.Mixed & { readonly _tag: 'ExactlyType'; readonly codec: Codec }

/** A record, so that the compiler checks that every tag is listed. */
const known: Readonly<Record<KnownCodec['_tag'], true>> = {
  InterfaceType: true,
  StrictType: true,
  PartialType: true,
  DictionaryType: true,
  IntersectionType: true,
  UnionType: true,
  TupleType: true,
  ArrayType: true,
  ReadonlyArrayType: true,
  ReadonlyType: true,
  ExactType: true,
  RefinementType: true,
  RecursiveType: true,
  SetType: true,
  SeparatedType: true,
  WithDefaultType: true,
  EncodedType: true,
  AttemptType: true,
  RestrictedType: true,
  ExactlyType: true,
  XmlType: true,
}

/** Whether a codec has a known tag, and therefore the members that belong to the tag. */
export const isKnown = (codec: Codec): codec is Codec & KnownCodec =>
  Object.hasOwn(known, codec._tag ?? '')

/** Whether a codec contains an object or record codec, at any depth. */
export const containsObjects = (codec: Codec): boolean => {
  const seen = new Set<Codec>()
  const holds = (one: Codec): boolean => {
    if (seen.has(one)) return false
    seen.add(one)
    return members(one) !== undefined || one._tag === 'DictionaryType' || children(one).some(holds)
  }
  return holds(codec)
}
