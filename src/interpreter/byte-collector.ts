/** Collects the chunks of a body that is read as a whole. */

/** Chunks below this size are copied. */
const small = 1024

/** Minimum and maximum size of the block that small chunks are copied into. */
const [leastBlock, mostBlock] = [256, 16 * 1024]

/**
 * Collects chunks without holding much more memory than they have bytes. An array of its own costs a few hundred bytes, so a
 * body of 1 MB in chunks of one byte would take 250 MB. Small chunks, except for the first, are therefore merged.
 */
export class ByteCollector {
  #chunks: Uint8Array[] = []
  #block: Uint8Array = empty
  #used = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length
    if (this.#chunks.length === 0) this.#chunks.push(chunk)
    else if (chunk.length >= small) {
      this.#flush()
      this.#chunks.push(chunk)
    } else this.#merge(chunk)
  }

  /** Drops the collected bytes. */
  clear(): void {
    this.#chunks = []
    this.#block = empty
    this.#used = 0
    this.#size = 0
  }

  /** Returns the collected bytes in chunks. */
  chunks(): ReadonlyArray<Uint8Array> {
    this.#flush()
    return this.#chunks
  }

  /** Returns the collected bytes. A single chunk is returned unchanged. */
  whole(): Uint8Array {
    const [only = empty, ...others] = this.chunks()
    if (others.length === 0) return only
    const whole = new Uint8Array(this.#size)
    let at = 0
    for (const chunk of this.#chunks) {
      whole.set(chunk, at)
      at += chunk.length
    }
    return whole
  }

  #merge(chunk: Uint8Array): void {
    if (this.#used + chunk.length > this.#block.length) {
      this.#flush()
      const wanted = Math.min(mostBlock, Math.max(leastBlock, this.#size, chunk.length))
      if (this.#block.length < wanted) this.#block = new Uint8Array(wanted)
    }
    this.#block.set(chunk, this.#used)
    this.#used += chunk.length
  }

  /** Copies the used part of the block, so that the block can be used again and no unused byte of it is held. */
  #flush(): void {
    if (this.#used > 0) this.#chunks.push(this.#block.slice(0, this.#used))
    this.#used = 0
  }
}

const empty = new Uint8Array(0)
