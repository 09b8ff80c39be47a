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

/*
 * The types that reject arguments. No value has one of them. Each is an alternative to the type of a parameter, and its type argument is
 * the remedy. TypeScript compares a wrong argument with one member of a union and prints the comparison last, so that the message ends in
 * the remedy. Which member it selects depends on the shape of the argument, so that each kind of argument needs its own shape:
 *
 * | type | is selected for | because of |
 * | --- | --- | --- |
 * | `RejectedArgument` | any argument, in a signature of its own | the missing member |
 * | `RejectedOptions` | a value in place of options or a function | being a string: messages about members of the options omit it |
 * | `RejectedRepresentation` | a representation in place of a codec | its `_tag` |
 * | `VerifiedCodec` | a codec of another kind, and any other value | the members of an io-ts codec, and its name (see below) |
 * | `RejectedCodecOf` | the codecs with a tag | its `_tag` |
 * | `RejectedTree` | an endpoint, a record or a list in place of a tree | an index signature that excludes the tag of a tree |
 * | `RejectedTreeStep` | a function in place of a tree | its call signature |
 * | `RejectedFunction` | a function in place of a filter, a mapper or a class | its call signature |
 *
 * TypeScript 7 sorts the members of a union by name, and displays the last one if none fits. The name `VerifiedCodec` therefore comes after
 * those of the codecs and representations.
 *
 * Two types are not alternatives. `RecordOnly` is intersected with the type of a record, and its optional members reject codecs, slots,
 * lists and functions. `RejectedStep` is the type of a step, and rejects what the step is applied to.
 */

/** A type that no value has. An error message for an argument of this type ends in `Remedy`. */
export interface RejectedArgument<Remedy extends string> {
  readonly remedy: Remedy
}

/**
 * An alternative to options or a function, which a message for an argument of another type states last. Messages about members of the
 * options do not contain it, because it is a string.
 */
export type RejectedOptions<Remedy extends string> = RejectedArgument<Remedy> & string

/** An alternative to a codec that no value has. TypeScript selects it for a representation. */
export interface RejectedRepresentation<Remedy extends string> {
  readonly _tag: 'Representation'
  readonly _A: unknown
  readonly mediaType: unknown
  readonly format: unknown
  readonly codec: Remedy
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

/** The alternatives to a codec that no value has, for representations and for other values. The error message ends in `Remedy`. */
export type RejectedCodec<Remedy extends string> =
  | RejectedRepresentation<Remedy>
  | VerifiedCodec<Remedy>

/** The arguments that TypeScript rejects where a codec or a schema is required, with an error message that ends in a remedy. */
export type RejectedForCodec =
  | RejectedRepresentation<'use the codec without json(…)'>
  | VerifiedCodec<'use a codec, such as t.type({ … }) or list(codec), or a schema'>

/**
 * An alternative to a codec that no value has. TypeScript selects it for the codecs with the tag `Tag`, so that the error message ends in
 * `Remedy`.
 */
export interface RejectedCodecOf<Tag extends string, Remedy extends string> extends t.Any {
  readonly _tag: Tag
  readonly remedy: Remedy
}

/**
 * An alternative to a tree that no value has. TypeScript selects it for an endpoint, a record and a list, because of its index
 * signature, but not for a tree, whose tag the index signature excludes.
 */
export interface RejectedTree<Remedy extends string> {
  readonly [name: string]: object | 'Endpoint' | Remedy
  readonly tree: Remedy
}

/** A step for trees that no value is. TypeScript selects it for a function in place of a tree. */
export interface RejectedTreeStep<Remedy extends string> {
  (tree: never): unknown
  readonly tree: Remedy
}

/** An alternative to a filter, a mapper or a class that no value has. TypeScript selects it for a function. The message ends in `Remedy`. */
export interface RejectedFunction<Remedy extends string> {
  (...args: ReadonlyArray<AnyArgument>): unknown
  readonly wrapped: Remedy
}

/** The type of a parameter in a rejected function. Its use causes no further errors. */
interface AnyArgument {
  (...args: ReadonlyArray<unknown>): AnyArgument
  readonly [name: string]: AnyArgument
}

/**
 * Rejects a codec, a schema, a slot, an endpoint, a list or a function where a record of such values is expected. The error message ends in
 * `Remedy`.
 */
export interface RecordOnly<Remedy extends string> {
  readonly _A?: Remedy
  readonly '~standard'?: Remedy
  readonly _S?: Remedy
  readonly [Symbol.iterator]?: Remedy
  readonly [Symbol.hasInstance]?: Remedy
}

/**
 * A step that accepts no value. The error message ends in `Remedy`. With a result other than `never`, TypeScript would reject the next step
 * before it infers the types of generic steps, and the message would state only that `unknown` is not an endpoint.
 */
export interface RejectedStep<Remedy extends string> {
  <X>(target: X & RejectedArgument<Remedy>): Exclude<never, X>
}
