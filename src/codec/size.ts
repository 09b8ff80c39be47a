/**
 * Sizes in octets, written with a binary unit as memory sizes are: `10240K` is ten times 1,048,576 octets.
 */
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
 * Reads a size as a number of octets; `none` when the text is not one, or more than a number holds exactly.
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
        O.map(([, octets]) => Number(digits) * octets),
      ),
    ),
    O.filter(isSize),
  )

/** Writes a number of octets with the largest unit that leaves no remainder. */
export const format = (octets: number): string =>
  pipe(
    units.find(([, unit]) => octets >= unit && octets % unit === 0),
    O.fromNullable,
    O.match(
      () => String(octets),
      ([letter, unit]) => `${octets / unit}${letter}`,
    ),
  )

/** A size as text, or a whole number of octets. */
export const size: t.Type<number, string> = textOrValue(
  'a number of bytes, such as 1048576, 1024K or 1M',
  isSize,
  parse,
  format,
)
