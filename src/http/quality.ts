/**
 * Quality values, the weights of content negotiation, as whole thousandths: two of them compare and print exactly.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** Thousandths, an integer from 0 to 1000. */
export type Quality = number

/** The weight of what has none written. */
export const mostPreferred: Quality = 1000

/** The weight that rules out. */
export const notAcceptable: Quality = 0

/**
 * Reads a weight, the text behind `q=`; `none` when it is not one.
 *
 * ```text
 * qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
 * ```
 */
export const parse = (text: string): O.Option<Quality> =>
  pipe(
    text,
    O.fromPredicate((qvalue) => /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(qvalue)),
    O.map((qvalue) => Math.round(Number(qvalue) * 1000)),
  )

/** Writes a weight in its shortest form: `1`, `0.5`, `0.001`. */
export const format = (quality: Quality): string => String(quality / 1000)
