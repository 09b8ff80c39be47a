/**
 * What the language asks of a codec. Every io-ts codec has these members, so any of them is accepted as it is;
 * comparing two phantom members costs the compiler far less than comparing the whole of `t.Type`.
 */
import type * as t from 'io-ts'

export interface AnyCodec {
  readonly name: string
  /** The type a handler sees. */
  readonly _A: unknown
  /** The type on the wire. */
  readonly _O: unknown
}

/** What one text can stand for. */
export type Scalar = string | number | boolean | bigint | undefined

/** A codec for one text: a path variable, an element of a list, a `text/plain` body. */
export interface ScalarCodec extends AnyCodec {
  readonly _O: Scalar
}

/** A codec for a parameter: one text or several. */
export interface ParameterCodec extends AnyCodec {
  readonly _O: Scalar | ReadonlyArray<Scalar>
}

/** A codec with its functions, as the engine calls it. Codecs are told apart by `_tag`, never by class: two copies of io-ts may meet. */
export type Codec = t.Mixed & { readonly _tag?: string }
