/**
 * A codec for sizes in bytes with binary units, such as `10240K` for 10 MiB, and a function that determines the maximum length of
 * the text that a codec accepts.
 */
import * as t from 'io-ts'
import type { Codec } from './codec.ts'
import { children, wrapped } from './codec-structure.ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { WithUnit } from './from-string.ts'
import { textOrValue } from './from-string.ts'

/**
 * Returns the maximum length of the text that a codec accepts, in UTF-16 code units. Returns `Infinity` if the length is
 * unlimited.
 */
export const maxTextLength = (codec: Codec): number => {
  switch (codec._tag ?? '') {
    case 'LiteralType':
      return 'value' in codec ? longest([codec.value]) : Infinity
    case 'EnumType':
      return 'values' in codec && t.UnknownArray.is(codec.values) ? longest(codec.values) : Infinity
    case 'KeyofType':
      return 'keys' in codec && t.UnknownRecord.is(codec.keys)
        ? longest(Object.keys(codec.keys))
        : Infinity
    case 'UnionType':
      return Math.max(...children(codec).map(maxTextLength))
    case 'IntersectionType':
      return Math.min(...children(codec).map(maxTextLength))
    case 'RefinementType': {
      const inner = wrapped(codec)
      return Math.min(constraintLimit(codec), inner === undefined ? Infinity : maxTextLength(inner))
    }
    case 'RecursiveType': // the definition may not be available yet
      return Infinity
    default: {
      const inner = wrapped(codec)
      return inner === undefined ? Infinity : maxTextLength(inner)
    }
  }
}

/**
 * Returns the maximum number of code units that the `maxLength` constraint of a codec allows (`constraint.ts`), which is twice the
 * number of code points. Returns `Infinity` if the codec has no such constraint.
 */
const constraintLimit = (codec: Codec): number => {
  const constraint = 'constraint' in codec ? codec.constraint : undefined
  const limit = t.UnknownRecord.is(constraint) ? constraint['maxLength'] : undefined
  return typeof limit === 'number' ? 2 * limit : Infinity
}

const longest = (values: ReadonlyArray<unknown>): number =>
  Math.max(0, ...values.map((value) => (typeof value === 'string' ? value.length : 0)))

const units: ReadonlyArray<readonly [string, number]> = [
  ['G', 1024 ** 3],
  ['M', 1024 ** 2],
  ['K', 1024],
  ['', 1],
]

const isSize = (u: unknown): u is number =>
  typeof u === 'number' && Number.isSafeInteger(u) && u >= 0

/**
 * Parses a size and returns it in bytes. Returns `none` if the text is invalid or the size exceeds 2^53 - 1 bytes.
 *
 * ```text
 * size = 1*DIGIT [ "K" / "M" / "G" ]   ; case-insensitive; K is 1024, M is 1024 K, G is 1024 M
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

/** Formats a size in bytes. The result uses the largest unit that divides the size exactly. */
export const format = (bytes: number): string =>
  pipe(
    units.find(([, unit]) => bytes >= unit && bytes % unit === 0),
    O.fromNullable,
    O.match(
      () => String(bytes),
      ([letter, unit]) => `${bytes / unit}${letter}`,
    ),
  )

/** A codec for a size in bytes. Decoding accepts text, or an integer in bytes. */
export const size: t.Type<number, string> & WithUnit<'size'> = textOrValue(
  'a number of bytes (such as 1048576, 1024K or 1M)',
  isSize,
  parse,
  format,
)
