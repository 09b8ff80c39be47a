/** Sizes in bytes with binary units: `10240K` is 10 × 1,048,576 bytes. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from './text-or-value.ts'

const units: ReadonlyArray<readonly [string, number]> = [
  ['G', 1024 ** 3],
  ['M', 1024 ** 2],
  ['K', 1024],
  ['', 1],
]

const isSize = (u: unknown): u is number =>
  typeof u === 'number' && Number.isSafeInteger(u) && u >= 0

/**
 * Parses a size in bytes. Returns `none` for invalid text and for sizes beyond 2^53 - 1.
 *
 * ```text
 * size = 1*DIGIT [ "K" / "M" / "G" ]   ; in either case; 1024, 1024 K, 1024 M
 * ```
 */
export const parse = (text: string): O.Option<number> =>
  pipe(
    O.fromNullable(/^(\d+)([KMG]?)$/i.exec(text)),
    O.chain(([, digits, letter = '']) =>
      pipe(
        units.find(([unit]) => unit === letter.toUpperCase()),
        O.fromNullable,
        O.map(([, bytes]) => Number(digits) * bytes),
      ),
    ),
    O.filter(isSize),
  )

/** Formats a size with the largest unit that leaves no remainder. */
export const format = (bytes: number): string =>
  pipe(
    units.find(([, unit]) => bytes >= unit && bytes % unit === 0),
    O.fromNullable,
    O.match(
      () => String(bytes),
      ([letter, unit]) => `${bytes / unit}${letter}`,
    ),
  )

/** A size as text, or an integer number of bytes. */
export const size: t.Type<number, string> = textOrValue(
  'a number of bytes, such as 1048576, 1024K or 1M',
  isSize,
  parse,
  format,
)
