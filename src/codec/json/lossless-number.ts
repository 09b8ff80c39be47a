/** Codecs of numbers beyond doubles. Their values are texts, as a rule, and JSON numbers where a library keeps every digit. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { fromString } from '../from-string.ts'
import { isJsonNumber, fromJsonText } from './json-number.ts'

/** What a codec bears that has a form for numbers of JSON. */
export interface LosslessNumber {
  /** The same values, read from JSON numbers as well as from texts, and written as JSON numbers. */
  readonly asNumber: Codec
  /** What a text stands for in a parameter (`codec/parameter.ts`): the text itself or `unmatched`. */
  readonly convert: (text: string) => unknown
}

export const isLosslessNumber = (codec: Codec): codec is Codec & LosslessNumber =>
  'asNumber' in codec && 'convert' in codec

/** A codec as `fromString` makes it; `format` writes what JSON has as a number. `ofNumber` reads one. */
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
