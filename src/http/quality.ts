/**
 * Quality values, the weights of content negotiation, in thousandths, so that they compare exactly.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** A weight in thousandths: an integer from 0 to 1000. */
export type Quality = number

/** The default weight. */
export const mostPreferred: Quality = 1000

/** The weight of unacceptable alternatives. */
export const notAcceptable: Quality = 0

/**
 * Parses the value of `q`. Returns `none` for an invalid one.
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

/** Writes a weight in its shortest form, such as `1`, `0.5` or `0.001`. */
export const format = (quality: Quality): string => String(quality / 1000)
