/**
 * `Content-Range`: which octets of a representation a part of it has.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.4
 */
import type { Slice } from './range.ts'

/** What a part holds of a representation of `size` octets: `bytes 0-99/1000`. */
export const format = ({ offset, length }: Slice, size: number): string =>
  `bytes ${offset}-${offset + length - 1}/${size}`

/** What 416 says of a representation of `size` octets: that none of those exists that were asked for. */
export const formatUnsatisfied = (size: number): string => `bytes */${size}`
