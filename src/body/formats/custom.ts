/** Formats of the application: functions of a representation, and data formats with a codec. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { DataFormat, Format } from '../../endpoint/representation.ts'
import type { BodyFormat } from '../body-format.ts'
import { decodeBody, unreadableBody } from '../read-body.ts'
import { inputVisibility } from '../visibility.ts'
import { wholeBody } from './whole-body.ts'

type Custom = Extract<Format, { readonly _tag: 'Custom' }>

/** A representation with functions of its own. An `HttpError` that `read` throws is the response; any other error is a 400. */
export const customFormat = ({ read, write }: Custom): BodyFormat => ({
  ...wholeBody,
  charsets: 'custom',
  cannotReceive: read === undefined ? 'has no read function, so it cannot be a body' : undefined,
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
 * A data format such as CBOR: its functions convert between bytes and plain values, a codec between plain values and those
 * of the application. Members that a view or a role hides are not written, as in JSON.
 */
export const dataFormat = ({ codec, parse, serialize, isTextual }: DataFormat): BodyFormat => ({
  ...wholeBody,
  codec,
  isTextual,
  charsets: isTextual ? 'ascii' : 'binary',
  accepts: codec.is,
  reader: ({ undeclared, backEnd, bounds, visibility }) => {
    const exact = compileCodec(codec, undeclared, backEnd, inputVisibility(codec, visibility))
    return (bytes) => {
      const value = parse(bytes, bounds)
      return E.isLeft(value) ? unreadableBody(value.left) : decodeBody(exact, value.right)
    }
  },
  writer: ({ backEnd, visibility }) => {
    const { encode } = compileCodec(codec, 'drop', backEnd, visibility)
    return (value) => serialize(encode(value))
  },
})

/** An entity: readers and writers of the application decide how it is read and written. */
export const entityFormat = (codec: Codec): BodyFormat => ({
  ...wholeBody,
  codec,
  isTextual: false,
  charsets: 'custom',
  accepts: codec.is,
})
