/**
 * Types of the values that clients send for a codec.
 *
 * A client sends decoded values. Members that decoding adds to an object can be missing: optional members, and members with a default.
 * For a schema, a client sends inputs.
 */
import type { AnyCodec } from './codec.ts'

/** The type of the values that a client sends for a codec. */
// comparing with an interface is cheaper than computing a type: most codecs contain nothing that can be missing
export type SentValue<C> = C extends PlainCodec ? C['_A'] : SentStructure<C>

/** A codec whose values have no members that can be missing, at any depth. */
export type PlainCodec = AnyCodec &
  (
    | { readonly _tag?: LeafTag; readonly _sent?: undefined }
    | { readonly _tag: 'InterfaceType' | 'StrictType'; readonly props: PlainProps }
    | { readonly _tag: WrapperTag; readonly type: PlainCodec }
    | { readonly _tag: MemberTag; readonly codec: PlainCodec }
    | { readonly _tag: 'UnionType' | 'IntersectionType' | 'TupleType'; readonly types: PlainCodecs }
    | { readonly _tag: 'DictionaryType'; readonly codomain: PlainCodec }
  )
interface PlainProps {
  readonly [name: string]: PlainCodec
}
interface PlainCodecs extends ReadonlyArray<PlainCodec> {}
type WrapperTag =
  | 'ArrayType'
  | 'ReadonlyArrayType'
  | 'ReadonlyType'
  | 'ExactType'
  | 'RefinementType'
type MemberTag = 'XmlType' | 'ExactlyType' | 'RestrictedType'
type LeafTag =
  | 'StringType'
  | 'NumberType'
  | 'BooleanType'
  | 'BigIntType'
  | 'LiteralType'
  | 'KeyofType'
  | 'NullType'
  | 'UnknownType'
  | 'EnumType'
  | 'StandardType'

type SentStructure<C> = C extends { readonly _sent: infer I }
  ? I
  : C extends StructuredCodec
    ? SentByTag<C>[C['_tag']]
    : C extends { readonly _A: infer A }
      ? A
      : never

/** A codec that contains other codecs. */
interface StructuredCodec {
  readonly _tag: keyof SentByTag<never>
  readonly _A: unknown
  readonly props?: unknown
  readonly type?: unknown
  readonly types?: unknown
  readonly codec?: unknown
  readonly codomain?: unknown
}

// TypeScript computes only the member that is accessed
interface SentByTag<C extends StructuredCodec> {
  readonly InterfaceType: SentMembers<C['props']>
  readonly StrictType: SentMembers<C['props']>
  readonly PartialType: { [K in keyof C['props']]?: SentValue<C['props'][K]> }
  readonly ExactType: SentValue<C['type']>
  readonly ReadonlyType: Readonly<SentValue<C['type']>>
  readonly ArrayType: Array<SentValue<C['type']>>
  readonly ReadonlyArrayType: ReadonlyArray<SentValue<C['type']>>
  readonly DictionaryType: { [K in keyof C['_A']]: SentValue<C['codomain']> }
  readonly TupleType: SentTuple<C['types']>
  readonly UnionType: C['types'] extends ReadonlyArray<infer X> ? SentValue<X> : never
  readonly IntersectionType: SentIntersection<C['types']>
  readonly RefinementType: SentRefinement<C['type'], C['_A']>
  readonly XmlType: SentValue<C['codec']>
  readonly ExactlyType: SentValue<C['codec']>
  readonly RestrictedType: SentValue<C['codec']>
  readonly WithDefaultType: SentValue<C['codec']> | undefined
}

type SentMembers<P> = Flat<
  { [K in Exclude<keyof P, OmittableKeys<P>>]: SentValue<P[K]> } & {
    [K in OmittableKeys<P>]?: SentValue<P[K]>
  }
>
type Flat<T> = [{ [K in keyof T]: T[K] }][0]
type OmittableKeys<P> = {
  [K in keyof P]: P[K] extends PlainCodec ? never : undefined extends SentValue<P[K]> ? K : never
}[keyof P]

type SentTuple<Cs> = { [K in keyof Cs]: SentValue<Cs[K]> }
type SentIntersection<Cs> = Cs extends readonly [infer C, ...infer Rest]
  ? SentValue<C> & SentIntersection<Rest>
  : unknown

// a brand is part of the value
type SentRefinement<C, A> = C extends { readonly _A: infer B }
  ? [B] extends [A]
    ? SentValue<C>
    : A
  : A
