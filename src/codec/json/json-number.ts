/**
 * JSON numbers that keep their digits. A number that JavaScript formats with the same characters remains a `number`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */

/**
 * A JSON number that JavaScript would format differently: `12.50`, `1e400`, `-0`, or an integer beyond 2^53.
 *
 * `Number(…)` converts it to the nearest double, `String(…)` to its text. `JSON.stringify` writes the nearest double, or a
 * string if that is infinite.
 */
export class JsonNumber {
  readonly _tag = 'JsonNumber' as const
  /** The number in the grammar of RFC 8259. */
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
  /** Codecs of objects check this tag, so they do not accept a number as a record. */
  get [Symbol.toStringTag](): string {
    return 'JsonNumber'
  }
}

/** Whether a value is a `JsonNumber`. Checks the tag, because the package may be loaded twice. */
export const isJsonNumber = (value: unknown): value is JsonNumber =>
  Object.prototype.toString.call(value) === '[object JsonNumber]'

/** Whether a double keeps the characters of a number. The expression covers most numbers. */
export const isPreserved = (text: string): boolean =>
  /^[1-9]\d{0,14}$/.test(text) || String(Number(text)) === text

/** Converts the text of a JSON number without validating it. */
export const fromJsonText = (text: string): number | JsonNumber =>
  isPreserved(text) ? Number(text) : new JsonNumber(text)

const grammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Creates a JSON number with all its digits: a `number` if JavaScript formats it with the same characters, otherwise a {@link
 * JsonNumber}. Throws a `TypeError` for invalid text.
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
  if (!grammar.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a JSON number`)
  return fromJsonText(text)
}
