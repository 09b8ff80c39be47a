/**
 * Grammars of numbers in parameters, form fields and text bodies.
 *
 * ```text
 * number  = [ "-" ] digits [ "." 1*DIGIT ] [ ( "e" / "E" ) [ "+" / "-" ] 1*DIGIT ]   ; as in JSON
 * integer = "0" / [ "-" ] DIGIT1-9 *DIGIT
 * digits  = "0" / DIGIT1-9 *DIGIT
 * ```
 *
 * | codec                         | grammar                        | rejected                           |
 * |-------------------------------|--------------------------------|------------------------------------|
 * | `int`, `t.Int`                | integer, safe integers only    | `7.0`, `7e0`, `+7`, `007`, `-0`    |
 * | `number`, `t.number`          | number, within a double        | `+7`, `007`, `7.`, `.5`, `1e400`   |
 * | number literals, `enumOf`     | the number as JavaScript writes it | `7.0`, `7e0`, `70e-1`          |
 * | `bigint`                      | integer                        | `+7`, `007`, `-0`                  |
 * | `decimal`                     | number, except negative zero   | `+7`, `007`, `-0`, `-0.00`         |
 *
 * With `number`, `-0` is negative zero, as `JSON.parse` reads it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-6
 */

export const numberGrammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const integerGrammar = /^(?:0|-?[1-9]\d*)$/
const negativeZero = /^-0(?:\.0+)?(?:[eE]|$)/

/** Represents text outside the grammar of a codec. */
export const invalidText: unique symbol = Symbol('unmatched')

/** Converts the text of a `bigint` parameter. */
export const convertBigint = (text: string): unknown =>
  integerGrammar.test(text) ? text : invalidText

/** Converts the text of a `decimal` parameter. */
export const convertDecimal = (text: string): unknown =>
  numberGrammar.test(text) && !negativeZero.test(text) ? text : invalidText
