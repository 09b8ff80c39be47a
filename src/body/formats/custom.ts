/** Implements the formats that applications define: representations with custom functions, data formats with a codec, and entities. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { valueKinds } from '../../codec/structure/uninhabited.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { DataFormat, Format } from '../../endpoint/representation.ts'
import type { BodyFormat } from '../body-format.ts'
import { wholeBody } from '../body-format.ts'
import { decodeBody, unreadableBody } from '../decode-body.ts'
import { inputVisibility } from '../body-plan.ts'

type Custom = Extract<Format, { readonly _tag: 'Custom' }>

/**
 * Creates the format for a representation with custom functions. An `HttpError` thrown by `read` determines the response. Any
 * other error thrown by `read` results in status 400.
 */
export const customFormat = ({ read, write }: Custom): BodyFormat => ({
  ...wholeBody,
  cannotReceive: read === undefined ? 'has no read function, so it cannot be received' : undefined,
  cannotSend: write === undefined ? 'has no write function, so it cannot be sent' : undefined,
  reader:
    read &&
    (() => (bytes) => {
      try {
        return E.right(read(bytes))
      } catch (error) {
        if (isHttpError(error)) throw error
        return unreadableBody('cannot be read', error)
      }
    }),
  writer: write && (() => write),
})

/**
 * Creates the format for a data format such as CBOR. The functions of the data format convert between bytes and plain values, and
 * the codec converts between plain values and application values. As with JSON, members that are hidden from the caller are not
 * written.
 */
export const dataFormat = ({ codec, parse, serialize, isTextual }: DataFormat): BodyFormat => ({
  ...wholeBody,
  codec,
  isTextual,
  accepts: codec.is,
  kinds: () => valueKinds(codec),
  reader: ({ undeclared, backEnd, bounds, visibility }) => {
    const compiled = compileCodec(codec, undeclared, backEnd, inputVisibility(codec, visibility))
    return (bytes) => {
      const value = parse(bytes, bounds)
      return E.isLeft(value) ? unreadableBody(value.left) : decodeBody(compiled, value.right)
    }
  },
  writer: ({ backEnd, visibility }) => {
    const { encode } = compileCodec(codec, 'drop', backEnd, visibility)
    return (value) => serialize(encode(value))
  },
})

/** Creates the format for an entity. Application-defined readers and writers read and write the entity. */
export const entityFormat = (codec: Codec): BodyFormat => ({
  ...wholeBody,
  codec,
  isTextual: false,
  accepts: codec.is,
  kinds: () => valueKinds(codec),
})
