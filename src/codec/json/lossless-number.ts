/** Codecs of numbers beyond the precision of doubles. They are text in JSON, and JSON numbers in lossless JSON. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { fromString } from '../from-string.ts'
import { isJsonNumber, fromJsonText } from './json-number.ts'

/** A codec that has a form for lossless JSON. */
export interface LosslessNumber {
  /** The form for lossless JSON: it accepts numbers and text, and encodes numbers. */
  readonly asNumber: Codec
  /** Converts the text of a parameter (`codec/parameter/parameter-shape.ts`): to itself or to `invalidText`. */
  readonly convert: (text: string) => unknown
}

export const isLosslessNumber = (codec: Codec): codec is Codec & LosslessNumber =>
  'asNumber' in codec && 'convert' in codec

/** Creates a codec like `fromString`, with a lossless form: `format` also writes JSON numbers, and `ofNumber` parses them. */
export const losslessNumber = <A>(
  name: string,
  parse: (text: string) => A | undefined,
  ofNumber: (text: string) => A | undefined,
  format: (value: A) => string,
  is: (value: unknown) => value is A,
  convert: LosslessNumber['convert'],
): t.Type<A, string> => {
  const codec = fromString(name, parse, format, is)
  const asNumber = new t.Type<A, unknown>(
    name,
    is,
    (value, context) => {
      if (typeof value !== 'number' && !isJsonNumber(value)) return codec.validate(value, context)
      const read = ofNumber(String(value))
      return read === undefined ? t.failure(value, context) : t.success(read)
    },
    (value) => fromJsonText(format(value)),
  )
  return Object.assign(codec, { asNumber, convert })
}
