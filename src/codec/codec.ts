/**
 * Types of codecs.
 *
 * {@link AnyCodec} matches every io-ts codec. Comparing two phantom members costs the compiler far less than comparing all of
 * `t.Type`.
 */
import type * as t from 'io-ts'

export interface AnyCodec {
  readonly name: string
  /** The type of decoded values. */
  readonly _A: unknown
  /** The type of encoded values. */
  readonly _O: unknown
}

/** The values that a parameter text can represent. */
export type Scalar = string | number | boolean | bigint | undefined

/** A codec for one text: a path variable, an element of a list or a `text/plain` body. */
export interface ScalarCodec extends AnyCodec {
  readonly _O: Scalar
}

/** A codec for a parameter with one or several texts. */
export interface ParameterCodec extends AnyCodec {
  readonly _O: Scalar | ReadonlyArray<Scalar>
}

/** A codec with its functions. Codecs are distinguished by `_tag` and not by class, because a process may load io-ts twice. */
export type Codec = t.Mixed & { readonly _tag?: string }
