/**
 * The codecs that are made of others and known by their structure, io-ts' and ours, as one union: to be told apart by
 * `_tag` in a `switch` that the compiler checks for completeness.
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

/** `ExactlyType` by its shape, because its module is made with this one. */
type Exactly = t.Mixed & { readonly _tag: 'ExactlyType'; readonly codec: Codec }

/** By tag, so that every tag of the union is here and no other. */
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

/** Whether a codec is one of them, by its tag: a codec that bears it has the members that belong to it. */
export const isKnown = (codec: Codec): codec is Codec & KnownCodec =>
  Object.hasOwn(known, codec._tag ?? '')

/** Whether a codec of objects or records is anywhere in the structure of a codec. */
export const containsObjects = (codec: Codec): boolean => {
  const seen = new Set<Codec>()
  const holds = (one: Codec): boolean => {
    if (seen.has(one)) return false
    seen.add(one)
    return members(one) !== undefined || one._tag === 'DictionaryType' || children(one).some(holds)
  }
  return holds(codec)
}
