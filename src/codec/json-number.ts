/**
 * JSON numbers whose digits are all preserved. A number is represented as a `number` if JavaScript formats it with the same
 * characters, and otherwise as a {@link JsonNumber}.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */
import * as t from 'io-ts'
import type { Codec } from './codec.ts'
import { fromString } from './from-string.ts'

/**
 * A JSON number that JavaScript would format differently, such as `12.50`, `1e400`, `-0`, or an integer beyond 2^53.
 *
 * `Number(value)` returns the nearest double, and `String(value)` returns the original text. `JSON.stringify` writes the
 * nearest double, or a string if the nearest double is infinite.
 */
export class JsonNumber {
  readonly _tag = 'JsonNumber' as const
  /** The number as JSON text (RFC 8259, 6). */
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
  valueOf(): number {
    return Number(this.text)
  }
  toJSON(): number | string {
    const nearest = this.valueOf()
    return Number.isFinite(nearest) ? nearest : this.text
  }
  /** The tag that identifies a `JsonNumber`. Object codecs check the tag and reject such values. */
  get [Symbol.toStringTag](): string {
    return 'JsonNumber'
  }
}

/** Whether a value is a `JsonNumber`. The tag is checked instead of the class, because the package might be loaded twice. */
export const isJsonNumber = (value: unknown): value is JsonNumber =>
  Object.prototype.toString.call(value) === '[object JsonNumber]'

/** Whether JavaScript formats the number in `text` with the same characters. The regular expression is only an optimization. */
export const isPreserved = (text: string): boolean =>
  /^[1-9]\d{0,14}$/.test(text) || String(Number(text)) === text

/** Converts the text of a JSON number without validating its syntax. */
export const fromJsonText = (text: string): number | JsonNumber =>
  isPreserved(text) ? Number(text) : new JsonNumber(text)

/** The grammar of a JSON number (RFC 8259, 6). */
export const numberGrammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Creates a JSON number that keeps all digits in `text`. Returns a `number` if JavaScript formats it with the same characters,
 * and otherwise a {@link JsonNumber}. Throws a `TypeError` if `text` is not a JSON number.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { isJsonNumber, jsonNumber } from 'espalier/json'
 *
 * assert.equal(jsonNumber('12.5'), 12.5)
 * assert.ok(isJsonNumber(jsonNumber('12.50')))
 * assert.equal(String(jsonNumber('12.50')), '12.50')
 * ```
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */
export const jsonNumber = (text: string): number | JsonNumber => {
  if (!numberGrammar.test(text)) throw new TypeError(`invalid JSON number: ${JSON.stringify(text)}`)
  return fromJsonText(text)
}

/** The value that a conversion returns if the text of a parameter is invalid. */
export const invalidText: unique symbol = Symbol('invalidText')

/** A codec for numbers, with a separate form for lossless JSON. */
export interface LosslessNumber {
  /** The codec for lossless JSON. It accepts numbers and strings, and encodes values as numbers. */
  readonly asNumber: Codec
  /** Returns the text of a parameter, or {@link invalidText}. */
  readonly convert: (text: string) => unknown
}

export const isLosslessNumber = (codec: Codec): codec is Codec & LosslessNumber =>
  'asNumber' in codec && 'convert' in codec

/**
 * Creates a codec with `fromString`, and adds a variant of the codec for lossless JSON. The variant parses JSON numbers with
 * `parseNumber`, and encodes values as JSON numbers, using the text that `format` returns.
 */
export const losslessNumber = <A>(
  name: string,
  parse: (text: string) => A | undefined,
  parseNumber: (text: string) => A | undefined,
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
      const decoded = parseNumber(String(value))
      return decoded === undefined ? t.failure(value, context) : t.success(decoded)
    },
    (value) => fromJsonText(format(value)),
  )
  return Object.assign(codec, { asNumber, convert })
}
