/**
 * Collects the chunks of a body in memory. Small chunks are copied into larger blocks, because each `Uint8Array` has an overhead
 * of about 100 bytes. Without blocks, a body received in one-byte chunks would take about 100 times its size in memory.
 */

/** Chunks of at least this length, in bytes, are never copied into a block. */
const large = 1024

/** Number of initial chunks that are not copied into a block, regardless of their length. Most bodies do not have more chunks. */
const fewChunks = 8

/** Maximum length of a block, in bytes. Up to this limit, a new block is as long as the data collected so far. */
const longestBlock = 64 * 1024

const empty = new Uint8Array()

export class ByteCollector {
  #chunks: Uint8Array[] = []
  /** The unfinished part of the current block, into which small chunks are copied. */
  #block = empty
  #used = 0
  #length = 0

  /** The number of collected bytes. */
  get length(): number {
    return this.#length
  }

  /**
   * Adds a chunk. The caller must not modify the chunk afterwards, because the collector might keep the chunk without copying it.
   */
  add(chunk: Uint8Array): void {
    this.#length += chunk.length
    if (isKept(chunk, this.#chunks)) {
      this.#close()
      this.#chunks.push(chunk)
      return
    }
    if (this.#used + chunk.length > this.#block.length) {
      this.#close()
      this.#block = new Uint8Array(Math.min(Math.max(large, this.#length), longestBlock))
    }
    this.#block.set(chunk, this.#used)
    this.#used += chunk.length
  }

  /** Adds a copy of a chunk, so that the caller can modify the original afterwards. */
  addCopy(chunk: Uint8Array): void {
    // the chunk may be a `Buffer`, whose `slice` method does not copy
    this.add(isKept(chunk, this.#chunks) ? new Uint8Array(chunk) : chunk)
  }

  /** Returns all collected bytes as one array, and clears the collector. A single chunk is returned without copying. */
  take(): Uint8Array {
    this.#close()
    const [only = empty] = this.#chunks
    const bytes = this.#chunks.length > 1 ? this.#join() : only
    this.clear()
    return bytes
  }

  /** Discards the collected bytes. */
  clear(): void {
    this.#chunks = []
    this.#block = empty
    this.#used = 0
    this.#length = 0
  }

  /** Adds the used part of the current block to the chunks. */
  #close(): void {
    if (this.#used === 0) return
    this.#chunks.push(this.#block.subarray(0, this.#used))
    this.#block = this.#block.subarray(this.#used)
    this.#used = 0
  }

  #join(): Uint8Array {
    const all = new Uint8Array(this.#length)
    let at = 0
    for (const chunk of this.#chunks) {
      all.set(chunk, at)
      at += chunk.length
    }
    return all
  }
}

const isKept = ({ length }: Uint8Array, chunks: ReadonlyArray<Uint8Array>): boolean =>
  length >= large || (length > 0 && chunks.length < fewChunks)
