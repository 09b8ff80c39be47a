/**
 * Parses byte ranges in the `Range` header, and selects the bytes to send.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

/**
 * A byte range with zero-based, inclusive positions. If a range has no end, `last` is `Infinity`. A suffix consists of the last
 * `length` bytes.
 */
export type Range =
  | { readonly _tag: 'Interval'; readonly first: number; readonly last: number }
  | { readonly _tag: 'Suffix'; readonly length: number }

/** A contiguous range of existing bytes in a representation. */
export interface Slice {
  readonly offset: number
  readonly length: number
}

export type RangeSelection =
  /** The `Range` header is ignored, and the whole representation is sent. */
  | { readonly _tag: 'Whole' }
  | { readonly _tag: 'Slices'; readonly slices: readonly [Slice, ...ReadonlyArray<Slice>] }
  /** None of the ranges overlaps the representation. The response status is 416. */
  | { readonly _tag: 'Unsatisfiable' }

/** Maximum number of ranges in a request. If there are more, the `Range` header is ignored (RFC 9110, 17.15). */
const maxRanges = 16

/**
 * Parses a set of byte ranges. Returns `none` if the set is invalid. The caller must then ignore the header.
 *
 * ```text
 * ranges = "bytes" "=" 1#( first "-" [ last ] / "-" length )     first <= last, all decimal
 * ```
 */
export const parse = (text: string): O.Option<ReadonlyArray<Range>> => {
  const [, set] = /^bytes=(.*)$/i.exec(text) ?? []
  const members = set === undefined ? [] : Grammar.splitList(set).map(parseMember)
  const ranges = members.filter((range) => range !== undefined)
  return members.length === 0 || ranges.length < members.length ? O.none : O.some(ranges)
}

const parseMember = (text: string): Range | undefined => {
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(text) ?? []
  if (first === '') return last === '' ? undefined : { _tag: 'Suffix', length: Number(last) }
  const range = { first: Number(first), last: last === '' ? Infinity : Number(last) }
  return range.last < range.first ? undefined : { _tag: 'Interval', ...range }
}

/**
 * Resolves byte ranges for a representation with `size` bytes.
 *
 * Returns `Whole` if there are more than 16 ranges (RFC 9110, 17.15), or if overlapping ranges add up to more than `size` bytes. In
 * both cases, the `Range` header is ignored. Returns `Unsatisfiable` (416) if no range selects a byte.
 */
export const select = (ranges: ReadonlyArray<Range>, size: number): RangeSelection => {
  if (ranges.length > maxRanges) return { _tag: 'Whole' }
  const [slice, ...others] = ranges.flatMap((range) => toSlice(range, size))
  if (slice === undefined)
    // for an empty representation, a suffix selects the whole representation
    return ranges.some((range) => range._tag === 'Suffix' && range.length > 0)
      ? { _tag: 'Whole' }
      : { _tag: 'Unsatisfiable' }
  const total = others.reduce((sum, { length }) => sum + length, slice.length)
  return total > size ? { _tag: 'Whole' } : { _tag: 'Slices', slices: [slice, ...others] }
}

const toSlice = (range: Range, size: number): ReadonlyArray<Slice> => {
  const offset = range._tag === 'Suffix' ? Math.max(0, size - range.length) : range.first
  const end = range._tag === 'Suffix' ? size : Math.min(size, range.last + 1)
  return offset < end ? [{ offset, length: end - offset }] : []
}

/** Writes the `Content-Range` value for a slice of a representation with `size` bytes, such as `bytes 0-99/1000`. */
export const format = ({ offset, length }: Slice, size: number): string =>
  `bytes ${offset}-${offset + length - 1}/${size}`

/** Writes the `Content-Range` value of a 416 response for a representation with `size` bytes. */
export const formatUnsatisfied = (size: number): string => `bytes */${size}`
