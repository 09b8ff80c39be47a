/** Scans a header block (HPACK, RFC 7541, section 6) without decoding it. */

/** The part of a representation to which the next byte belongs. */
type Position = 'field' | 'index' | 'length' | 'length-continued' | 'string'

/** The length, in bytes, of the longest string that nghttp2 decodes. A longer one ends the connection. */
const maxStringLength = 65_536

/** The shortest possible code of HPACK has five bits. */
const maxCodedLength = (maxStringLength * 5) / 8

/**
 * The number of bytes to which longer strings are cut. The field does not fit into the dynamic table of 4,096 bytes, and empties it, like
 * the uncut one (RFC 7541, 4.4).
 */
const cutLength = 8192

/** The prefix of a string of {@link cutLength} bytes without the Huffman code (RFC 7541, 5.2). */
const cutPrefix = Uint8Array.of(0x7f, 0x81, 0x3f)

/** Counts the fields of one header block, and cuts the strings that are too long for nghttp2. Its fragments are added in order. */
export class HeaderBlockScanner {
  /** The number of fields, including an incomplete one. Changes of the size of the dynamic table are no fields. */
  fields = 0
  /** Whether a string has been cut. */
  isCut = false
  #position: Position = 'field'
  /** Number of strings of the current field that have not ended. */
  #strings = 0
  #isCoded = false
  /** Number of bytes of the current string that have not been read. */
  #length = 0
  /** Number of bytes at the end of the current string that are removed. */
  #excess = 0
  /** Value of the next bit group of an integer. */
  #factor = 1

  /** Scans a fragment. Returns it without the bytes that have been cut. */
  add(fragment: Uint8Array): Uint8Array {
    const kept: Uint8Array[] = []
    /** The beginning of the bytes that have not been added to `kept`. */
    let start = 0
    let prefixStart = -1
    for (let at = 0; at < fragment.length;) {
      if (this.#position === 'string') {
        const end = Math.min(fragment.length, at + this.#length)
        this.#length -= end - at
        const removed = Math.min(end - at, Math.max(0, this.#excess - this.#length))
        if (removed > 0) {
          kept.push(fragment.subarray(start, end - removed))
          this.#excess -= removed
          start = end
        }
        at = end
        if (this.#length === 0) this.#next()
        continue
      }
      if (this.#position === 'length') prefixStart = at
      const hasLength = this.#addByte(fragment[at++] ?? 0)
      // a prefix that begins in an earlier fragment has been passed on already
      if (hasLength && prefixStart >= 0 && this.#isTooLong) {
        kept.push(fragment.subarray(start, prefixStart), cutPrefix)
        start = at
        this.isCut = true
        this.#excess = this.#length - cutLength
      }
    }
    return start === 0 ? fragment : Buffer.concat([...kept, fragment.subarray(start)])
  }

  get #isTooLong(): boolean {
    return this.#length > (this.#isCoded ? maxCodedLength : maxStringLength)
  }

  /** Reads a byte that belongs to no string. Returns whether it completes the length of a string. */
  #addByte(byte: number): boolean {
    if (this.#position === 'field') this.#begin(byte)
    else if (this.#position === 'index') {
      if (byte < 0x80) this.#next()
    } else {
      const bits = byte & 0x7f
      if (this.#position === 'length') {
        this.#isCoded = byte >= 0x80
        this.#length = bits
        this.#factor = 1
        if (bits < 0x7f) return this.#beginString()
        this.#position = 'length-continued'
      } else {
        this.#length += bits * this.#factor
        this.#factor *= 0x80
        if (byte < 0x80) return this.#beginString()
      }
    }
    return false
  }

  /** Reads the first byte of a representation: its kind, and the prefix of an integer. */
  #begin(byte: number): void {
    const isIndexed = byte >= 0x80
    const isSizeUpdate = (byte & 0xe0) === 0x20
    const mask = isIndexed ? 0x7f : byte >= 0x40 ? 0x3f : isSizeUpdate ? 0x1f : 0x0f
    if (!isSizeUpdate) this.fields++
    // a literal has a value, and without an index also a name
    this.#strings = isIndexed || isSizeUpdate ? 0 : (byte & mask) === 0 ? 2 : 1
    if ((byte & mask) === mask) this.#position = 'index'
    else this.#next()
  }

  #beginString(): true {
    this.#strings--
    this.#position = 'string'
    if (this.#length === 0) this.#next()
    return true
  }

  #next(): void {
    this.#position = this.#strings > 0 ? 'length' : 'field'
  }
}
