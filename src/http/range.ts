/**
 * Byte ranges: which octets of a representation a client asks for.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

/** Positions count from 0 and are inclusive; `last` is `Infinity` when the range is open. A suffix counts octets from the end. */
export type Range =
  | { readonly _tag: 'Interval'; readonly first: number; readonly last: number }
  | { readonly _tag: 'Suffix'; readonly length: number }

/** Octets of a representation, which has them. */
export interface Slice {
  readonly offset: number
  readonly length: number
}

/** What a set of ranges comes to. */
export type RangeSelection =
  /** The ranges do not count: all of it is sent. */
  | { readonly _tag: 'Whole' }
  | { readonly _tag: 'Slices'; readonly slices: readonly [Slice, ...ReadonlyArray<Slice>] }
  /** None of the octets exists. */
  | { readonly _tag: 'Unsatisfiable' }

/** More ranges than this are not served (RFC 9110, 17.15). */
const most = 16

/**
 * Reads a set of byte ranges; `none` when the text is not one, and then the field has to be ignored.
 *
 * ```text
 * ranges = "bytes" "=" 1#( first "-" [ last ] / "-" length )     first <= last, all decimal
 * ```
 */
export const parse = (text: string): O.Option<ReadonlyArray<Range>> => {
  const [, set] = /^bytes=(.*)$/i.exec(text) ?? []
  const members = set === undefined ? [] : Grammar.splitList(set).map(member)
  const ranges = members.filter((one) => one !== undefined)
  return members.length === 0 || ranges.length < members.length ? O.none : O.some(ranges)
}

const member = (text: string): Range | undefined => {
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(text) ?? []
  if (first === '') return last === '' ? undefined : { _tag: 'Suffix', length: Number(last) }
  const range = { first: Number(first), last: last === '' ? Infinity : Number(last) }
  return range.last < range.first ? undefined : { _tag: 'Interval', ...range }
}

/**
 * The octets of a representation of `size` octets that are asked for. Ranges that are too many, or that ask for more octets
 * than there are because they overlap, do not count.
 */
export const select = (ranges: ReadonlyArray<Range>, size: number): RangeSelection => {
  if (ranges.length > most) return { _tag: 'Whole' }
  const [slice, ...others] = ranges.flatMap((range) => sliceOf(range, size))
  if (slice === undefined)
    // nothing has no last octets, but all of it was asked for
    return ranges.some((range) => range._tag === 'Suffix' && range.length > 0)
      ? { _tag: 'Whole' }
      : { _tag: 'Unsatisfiable' }
  const total = others.reduce((sum, { length }) => sum + length, slice.length)
  return total > size ? { _tag: 'Whole' } : { _tag: 'Slices', slices: [slice, ...others] }
}

const sliceOf = (range: Range, size: number): ReadonlyArray<Slice> => {
  const offset = range._tag === 'Suffix' ? Math.max(0, size - range.length) : range.first
  const end = range._tag === 'Suffix' ? size : Math.min(size, range.last + 1)
  return offset < end ? [{ offset, length: end - offset }] : []
}
