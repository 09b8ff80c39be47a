/**
 * The `Retry-After` header: when a client may send a request again.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as HttpDate from './http-date.ts'

/**
 * Parses a header and returns the delay in milliseconds from `now` (milliseconds since the epoch): 0 for a date in the past.
 * Returns `none` for an invalid header. The delay is `Infinity` if the number is too large.
 *
 * ```text
 * Retry-After   = HTTP-date / delay-seconds
 * delay-seconds = 1*DIGIT
 * ```
 */
export const parse = (text: string, now: number): O.Option<number> =>
  /^\d+$/.test(text)
    ? O.some(Number(text) * 1000)
    : pipe(
        HttpDate.parse(text, now),
        O.map((date) => Math.max(0, date.getTime() - now)),
      )
