/**
 * Byte ranges: the `Range` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

/** Positions start at 0 and are inclusive. `last` of an open range is `Infinity`. A suffix is the last `length` bytes. */
export type Range =
  | { readonly _tag: 'Interval'; readonly first: number; readonly last: number }
  | { readonly _tag: 'Suffix'; readonly length: number }

/** A range of existing bytes. */
export interface Slice {
  readonly offset: number
  readonly length: number
}

export type RangeSelection =
  /** The `Range` header is ignored, and the whole representation is sent. */
  | { readonly _tag: 'Whole' }
  | { readonly _tag: 'Slices'; readonly slices: readonly [Slice, ...ReadonlyArray<Slice>] }
  /** No range selects an existing byte: 416. */
  | { readonly _tag: 'Unsatisfiable' }

/** The maximum number of ranges in a request (RFC 9110, 17.15). */
const maxRanges = 16

/**
 * Parses a set of byte ranges. Returns `none` for an invalid set, for which the header must be ignored.
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
 * Resolves byte ranges against a representation of `size` bytes.
 *
 * Returns `Whole`, so that the `Range` header is ignored, for more than 16 ranges (RFC 9110, 17.15) and for overlapping
 * ranges that add up to more than `size` bytes. Returns `Unsatisfiable` (416) if no range selects a byte.
 */
export const select = (ranges: ReadonlyArray<Range>, size: number): RangeSelection => {
  if (ranges.length > maxRanges) return { _tag: 'Whole' }
  const [slice, ...others] = ranges.flatMap((range) => toSlice(range, size))
  if (slice === undefined)
    // a suffix of an empty representation is the whole representation
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
