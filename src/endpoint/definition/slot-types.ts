/** Types for slots and for the dependencies of endpoints. */
import type { AnySchema, SchemaOutput } from '../../codec/standard-schema/schema-types.ts'
import type { AnyCodec } from '../../codec/codec.ts'

/** A slot: a typed dependency with a key that identifies it throughout the application. */
export interface Slot<K extends string, A> {
  readonly _tag: 'Slot'
  readonly key: K
  /** The type of the value. This member exists only at compile time. */
  readonly _A: A
}

/** A slot with a codec. A variable in the path prefix of a tree can fill it. */
export interface PathSlot<K extends string, A> extends Slot<K, A> {
  /** The codec that decodes the path variable. */
  readonly codec: AnyCodec
}

/** A slot without type parameters. */
export interface AnySlot {
  readonly _tag: 'Slot'
  readonly key: string
  readonly _A: unknown
}

/** The dependencies declared by an endpoint. Maps the key of each dependency to its type. */
// Most endpoints have neither key. With `'needs' extends keyof S`, an endpoint would not be assignable to one with fewer
// declarations.
export type NeedOf<S> = [keyof S & ('needs' | 'raises')] extends [never]
  ? unknown
  : SlotsOf<S> & RaisedBy<S>

type SlotsOf<S> = S extends { readonly needs: infer N }
  ? { readonly [L in keyof N as KeyOf<N[L]>]: ValueOf<N[L]> }
  : unknown

type RaisedBy<S> = S extends { readonly raises: infer X }
  ? { readonly [Tag in keyof X & string as ErrorKey<Tag>]: (error: X[Tag]) => unknown }
  : unknown

/** The key of the dependency on a mapper for a tagged error. */
export type ErrorKey<Tag extends string> = `a mapper for the error ${Tag}`

/** Extracts the key type of a slot. */
export type KeyOf<X> = X extends { readonly key: infer K extends string } ? K : never

/** The type of the values described by a slot, a codec, a Standard Schema or a representation. */
export type ValueOf<X> = X extends Valued ? X['_A'] : X extends AnySchema ? SchemaOutput<X> : never

interface Valued {
  readonly _A: unknown
}

/** The error message for values `G` of which one does not have the type that `R` requires. */
export type WrongValue<G, R> = {
  [K in keyof G & keyof R & string]: G[K] extends R[K] ? never : SlotRemedy<K, G[K], R[K]>
}[keyof G & keyof R & string]

type SlotRemedy<K extends string, Given, Needed> =
  K extends ErrorKey<infer Tag>
    ? `the mapper of the error ${Tag} does not accept the raised error`
    : Given extends AnySlot
      ? `the slot ${K}: pass a value, not the slot`
      : Given extends abstract new (...args: never) => unknown
        ? `the slot ${K}: pass an instance, as in new Class()`
        : [Given] extends [object]
          ? `the slot ${K}: ${PropertyRemedy<MissingKey<Given, Needed>, WrongKey<Given, Needed>>}`
          : `the slot ${K}: the value has the wrong type`

type PropertyRemedy<Missing, Wrong> = [Missing] extends [never]
  ? [Wrong] extends [never]
    ? 'the value has the wrong type'
    : `property ${Wrong & string} has the wrong type`
  : `property ${Missing & string} is missing`

/** The required properties of `Needed` that `Given` does not have. */
type MissingKey<Given, Needed> = {
  [P in Exclude<keyof Needed, keyof Given>]-?: {} extends Pick<Needed, P> ? never : P
}[Exclude<keyof Needed, keyof Given>]

type WrongKey<Given, Needed> = {
  [P in keyof Given & keyof Needed]: Given[P] extends Needed[P] ? never : P
}[keyof Given & keyof Needed]
