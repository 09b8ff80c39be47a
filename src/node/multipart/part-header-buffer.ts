/** Collects the header section of a part, up to its empty line, from any chunks. */

const CR = 13
const LF = 10

export class PartHeaderBuffer {
  readonly #maxSize: number
  #chunks: Buffer[] = []
  #size = 0
  /** Matched bytes of `CR LF CR LF`. A section begins after a line break, so an empty one is `CR LF`. */
  #matched = 2

  /** `maxSize` is the maximum number of bytes with all line breaks, without the empty line. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Adds bytes up to the end of the section. Returns the position after them, or `undefined` if the section is too large. */
  add(bytes: Buffer, start: number, end: number): number | undefined {
    let position = start
    while (position < end && this.#matched < 4)
      this.#matched = nextMatch(this.#matched, bytes[position++] ?? 0)
    // copied, because the memory of the chunk is reused before the section is complete
    this.#chunks.push(Buffer.from(bytes.subarray(start, position)))
    this.#size += position - start
    const emptyLine = this.#matched === 4 ? 2 : this.#matched === 3 ? 1 : 0
    return this.#size - emptyLine > this.#maxSize ? undefined : position
  }

  /**
   * Returns the section without its last line break and its empty line, and starts the next one. `undefined` if it is incomplete.
   */
  takeComplete(): Buffer | undefined {
    if (this.#matched < 4) return undefined
    const section = Buffer.concat(this.#chunks, this.#size)
    this.#chunks = []
    this.#size = 0
    this.#matched = 2
    return section.subarray(0, Math.max(0, section.length - 4))
  }
}

const nextMatch = (matched: number, byte: number): number => {
  if (byte === CR) return matched === 2 ? 3 : 1
  if (byte === LF && (matched === 1 || matched === 3)) return matched + 1
  return 0
}
