/** Parameters as they stand in the request. */
import * as t from 'io-ts'

/** A codec that is given the text without percent-decoding. */
export class EncodedType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'EncodedType' as const
  readonly codec: C
  constructor(codec: C) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
  }
}

/** Leaves the percent-escapes of a path variable, query, matrix or form parameter in place; it has no effect elsewhere. */
export const encoded = <C extends t.Mixed>(codec: C): EncodedType<C> => new EncodedType(codec)
