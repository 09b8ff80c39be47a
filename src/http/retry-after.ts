/**
 * The `Retry-After` field: how long a server asks to be left alone.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as HttpDate from './http-date.ts'

/**
 * Reads the field as milliseconds from `now` (milliseconds since the epoch), 0 for a date that has passed; `none` for a text
 * that is neither form. Any number of digits is read, so the result can be infinite.
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
