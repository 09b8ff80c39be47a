/**
 * Types for codecs.
 *
 * {@link AnyCodec} matches every io-ts codec. It declares only the name and two type-level members, because TypeScript compares
 * them much faster than all members of `t.Type`.
 */
import type * as t from 'io-ts'

export interface AnyCodec {
  readonly name: string
  /** The type of decoded values. */
  readonly _A: unknown
  /** The type of encoded values. */
  readonly _O: unknown
}

/**
 * An alternative to a codec that no value has. TypeScript selects it for codecs of other kinds and displays it last for values
 * that are not codecs, so that the error message ends in `Remedy`.
 */
export interface VerifiedCodec<Remedy extends string> extends AnyCodec {
  readonly decode: unknown
  readonly encode: unknown
  readonly validate: unknown
  readonly remedy: Remedy
  // a member of representations, so that `{ json: codec }` is not compared with them
  readonly json?: unknown
}

/** An alternative to a codec that no value has. TypeScript selects it for a representation. */
export interface ExpectedCodecOf<Remedy extends string> {
  readonly _tag: 'Representation'
  readonly _A: unknown
  readonly mediaType: unknown
  readonly format: unknown
  readonly codec: Remedy
}

/** The alternatives to a codec that no value has, for representations and for other values. The error message ends in `Remedy`. */
export type RejectedCodec<Remedy extends string> = ExpectedCodecOf<Remedy> | VerifiedCodec<Remedy>

/** The arguments that TypeScript rejects where a codec or a schema is required, with an error message that ends in a remedy. */
export type NotACodec =
  | ExpectedCodecOf<'use the codec without json(…)'>
  | VerifiedCodec<'use a codec, such as t.type({ … }) or list(codec), or a schema'>

/**
 * An alternative to a codec that no value has. TypeScript selects it for the codecs with the tag `Tag`, so that the error message ends in
 * `Remedy`.
 */
export interface OtherCodec<Tag extends string, Remedy extends string> extends t.Any {
  readonly _tag: Tag
  readonly remedy: Remedy
}

/** A value that can be represented as the text of a parameter. */
export type Scalar = string | number | boolean | bigint | null | undefined

/** A codec for a single text value, such as a path variable, a list element or a `text/plain` body. */
export interface ScalarCodec extends AnyCodec {
  readonly _O: Scalar
}

/** A codec for a parameter with one or more text values. */
export interface ParameterCodec extends AnyCodec {
  readonly _O: Scalar | ReadonlyArray<Scalar>
}

/** A codec for a parameter that was not created from a schema. */
export interface CodecOfText extends ParameterCodec {
  readonly schema?: undefined
}

/**
 * An io-ts codec with all its members, unlike {@link AnyCodec}. The `_tag` identifies the kind of codec. It is used instead of
 * `instanceof`, which is unreliable if io-ts is loaded twice.
 */
export type Codec = t.Mixed & { readonly _tag?: string }

/** A type that no value has. An error message for an argument of this type ends in `Remedy`. */
export interface RejectedArgument<Remedy extends string> {
  readonly remedy: Remedy
}

/**
 * An alternative to options or a function, which a message for an argument of another type states last. Messages about members of the
 * options do not contain it, because it is a string.
 */
export type Expected<Remedy extends string> = RejectedArgument<Remedy> & string
