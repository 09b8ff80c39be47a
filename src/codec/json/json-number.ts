/**
 * Numbers of JSON that a double would change, kept as they are written. They come from a reader that keeps every digit
 * (`codec/lossless.ts`); what a double gives back in the same letters is a number there as well.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */

/**
 * A number as JSON writes it, which JavaScript would write in another way: `12.50`, `1e400`, `-0`, a whole number beyond 2^53.
 * `Number(…)` of it is the nearest double, `String(…)` its text. What knows nothing of it, such as `JSON.stringify`, writes the
 * nearest double, or the text in quotes where that is infinite.
 */
export class JsonNumber {
  readonly _tag = 'JsonNumber' as const
  /** As RFC 8259 has it. */
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
  /** No record has this name, so that no codec of objects takes a number for one. */
  get [Symbol.toStringTag](): string {
    return 'JsonNumber'
  }
}

/** By its name and not its class: there may be a second copy of this package. */
export const isJsonNumber = (value: unknown): value is JsonNumber =>
  Object.prototype.toString.call(value) === '[object JsonNumber]'

/** Whether a number comes back from a double in the same letters. Most are known by their looks. */
export const isPreserved = (text: string): boolean =>
  /^[1-9]\d{0,14}$/.test(text) || String(Number(text)) === text

/** A number in the letters of JSON, which are not looked at again. */
export const fromJsonText = (text: string): number | JsonNumber =>
  isPreserved(text) ? Number(text) : new JsonNumber(text)

const grammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * A JSON number with all its digits: a `number` where JavaScript writes it in the same letters, else a {@link JsonNumber}. Throws
 * a `TypeError` for a text that is no JSON number.
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
