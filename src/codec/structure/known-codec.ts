/**
 * Defines a union type for all codecs from io-ts and this package that combine or wrap other codecs. With this type, TypeScript
 * can check that a `switch` over `_tag` is exhaustive.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { WithDefaultType } from '../optional.ts'
import type { AttemptType, CombinedType, EncodedType, SegmentsType } from './parameter-codecs.ts'
import type { RestTupleType, SeparatedType, SetType } from './collection-types.ts'
import type { RestrictedType } from './restricted-member.ts'
import { children, members } from '../codec-structure.ts'

/** The declared parts of an XML element or attribute name. Parts that are not declared are derived from the object member. */
export interface DeclaredName {
  /** The namespace URI. An empty string indicates that the name has no namespace. */
  readonly namespace?: string
  readonly local?: string
  /** The preferred prefix for the namespace. */
  readonly prefix?: string
}

/** Specifies how the values of a codec are mapped to XML. */
export type XmlMapping =
  | { readonly _tag: 'RootElement'; readonly name: DeclaredName }
  | { readonly _tag: 'Element'; readonly name: DeclaredName }
  | { readonly _tag: 'Attribute'; readonly name: DeclaredName }
  /** Represents a value as the character data of the enclosing element. */
  | { readonly _tag: 'Value' }
  /** Represents a collection as a wrapper element that contains one element for each value. */
  | { readonly _tag: 'ElementWrapper'; readonly name: DeclaredName; readonly item: DeclaredName }
  /** Represents a collection as text, with values separated by whitespace. */
  | { readonly _tag: 'List' }

/** A codec with a mapping to XML. */
export class XmlType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'XmlType' as const
  readonly codec: C
  readonly mapping: XmlMapping
  constructor(codec: C, mapping: XmlMapping) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
    this.mapping = mapping
  }
}

/** Whether a codec is an `XmlType` from this or another copy of the package. */
export const isXmlType = (codec: Codec): codec is XmlType<Codec> => codec._tag === 'XmlType'

type Props = Readonly<Record<string, Codec>>

export type KnownCodec =
  | t.InterfaceType<Props>
  | t.StrictType<Props>
  | t.PartialType<Props>
  | t.DictionaryType<Codec, Codec>
  | t.IntersectionType<Codec[]>
  | t.UnionType<[Codec, ...Codec[]]>
  | t.TupleType<Codec[]>
  | RestTupleType
  | t.ArrayType<Codec>
  | t.ReadonlyArrayType<Codec>
  | t.ReadonlyType<Codec>
  | t.ExactType<Codec>
  | t.RefinementType<Codec>
  | t.RecursiveType<Codec>
  | SetType<Codec>
  | SegmentsType<Codec>
  | SeparatedType<Codec>
  | WithDefaultType<Codec>
  | EncodedType<Codec>
  | CombinedType<Codec>
  | AttemptType<Codec>
  | RestrictedType<Codec>
  | Exactly
  | XmlType<Codec>

/** The shape of `StrictType`. The class itself is not imported, because this would cause an import cycle. */
type Exactly = t.Mixed & { readonly _tag: 'ExactlyType'; readonly codec: Codec }

/** All known tags. Because the type is a record, TypeScript checks that every tag is listed. */
const known: Readonly<Record<KnownCodec['_tag'], true>> = {
  InterfaceType: true,
  StrictType: true,
  PartialType: true,
  DictionaryType: true,
  IntersectionType: true,
  UnionType: true,
  TupleType: true,
  RestTupleType: true,
  ArrayType: true,
  ReadonlyArrayType: true,
  ReadonlyType: true,
  ExactType: true,
  RefinementType: true,
  RecursiveType: true,
  SetType: true,
  SegmentsType: true,
  SeparatedType: true,
  WithDefaultType: true,
  EncodedType: true,
  CombinedType: true,
  AttemptType: true,
  RestrictedType: true,
  ExactlyType: true,
  XmlType: true,
}

/** Whether a codec has a known tag. If so, the codec also has the members that belong to this tag. */
export const isKnown = (codec: Codec): codec is Codec & KnownCodec =>
  Object.hasOwn(known, codec._tag ?? '')

/** Whether a codec contains an object or record codec, at any depth. */
export const containsObjects = (codec: Codec): boolean => {
  const seen = new Set<Codec>()
  const holds = (part: Codec): boolean => {
    if (seen.has(part)) return false
    seen.add(part)
    return (
      members(part) !== undefined || part._tag === 'DictionaryType' || children(part).some(holds)
    )
  }
  return holds(codec)
}
