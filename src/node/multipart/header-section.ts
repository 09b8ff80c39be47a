/** Collects the header section of a part from the chunks of a body. */
const LF = 10
const CR = 13

/** A header section, up to and including the empty line that ends it. */
export class HeaderSection {
  readonly #maxSize: number
  #chunks: Buffer[] = []
  #size = 0
  /**
   * Number of bytes of the sequence `CR LF CR LF` that have been matched. The initial value is 2, because a section begins after a
   * line break.
   */
  #matched = 2

  /** `maxSize` is the maximum size of a section in bytes, including line breaks but excluding the empty line. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /**
   * Adds bytes up to the end of the section. Returns the position after the last added byte, or `undefined` if the section is too
   * large.
   */
  add(bytes: Buffer, start: number, end: number): number | undefined {
    let position = start
    while (position < end && this.#matched < 4)
      this.#matched = nextMatch(this.#matched, bytes[position++] ?? 0)
    const emptyLine = this.#matched === 4 ? 2 : this.#matched === 3 ? 1 : 0
    this.#size += position - start
    if (this.#size - emptyLine > this.#maxSize) return undefined
    // the bytes are copied, because the memory of the chunk is reused before the section is complete
    this.#chunks.push(Buffer.from(bytes.subarray(start, position)))
    return position
  }

  /**
   * Returns the section without the last line break and the empty line that end it, and resets the collected bytes. Returns
   * `undefined` if the section is incomplete.
   */
  takeComplete(): Buffer | undefined {
    if (this.#matched < 4) return undefined
    const [first] = this.#chunks
    const section =
      first !== undefined && this.#chunks.length === 1
        ? first
        : Buffer.concat(this.#chunks, this.#size)
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
