/**
 * Collects the chunks of a body. Small chunks are copied into larger blocks: a `Uint8Array` takes some 100 bytes of memory,
 * whatever its length, so a body of one-byte chunks took 100 times its size.
 */

/** A chunk of this length or more is kept as it is. */
const large = 1024

/** So many chunks are kept as they are, whatever their length: most bodies have no more. */
const fewChunks = 8

/** Blocks double in length up to this one. */
const longestBlock = 64 * 1024

/** No bytes. */
const empty = new Uint8Array()

export class ByteCollector {
  #chunks: Uint8Array[] = []
  /** The rest of the block that small chunks are copied into. */
  #block = empty
  #used = 0
  #length = 0

  /** The number of bytes collected. */
  get length(): number {
    return this.#length
  }

  /** Adds a chunk, which must not change until `take` has returned. */
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

  /** Adds the bytes of a chunk that may change afterwards. */
  addCopy(chunk: Uint8Array): void {
    // `slice` of a `Buffer` does not copy
    this.add(isKept(chunk, this.#chunks) ? new Uint8Array(chunk) : chunk)
  }

  /** Returns all bytes as one array, and starts anew. A single chunk is not copied. */
  take(): Uint8Array {
    this.#close()
    const [only = empty] = this.#chunks
    const bytes = this.#chunks.length > 1 ? this.#join() : only
    this.clear()
    return bytes
  }

  /** Drops the collected bytes. */
  clear(): void {
    this.#chunks = []
    this.#block = empty
    this.#used = 0
    this.#length = 0
  }

  /** Ends the part of the block that is in use. */
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
