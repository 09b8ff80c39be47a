/**
 * The `Content-Range` header: the bytes of a representation that a partial response contains.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.4
 */
import type { Slice } from './range.ts'

/** Writes the range of a slice of a representation of `size` bytes: `bytes 0-99/1000`. */
export const format = ({ offset, length }: Slice, size: number): string =>
  `bytes ${offset}-${offset + length - 1}/${size}`

/** Writes the header of a 416 response for a representation of `size` bytes. */
export const formatUnsatisfied = (size: number): string => `bytes */${size}`
