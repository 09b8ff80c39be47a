/** Reads a byte stream up to delimiters, for parsers of multipart bodies. */

/** A byte stream with buffered look-ahead. */
export class LookAhead {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Uint8Array
  /**
   * Buffer that contains `#held`, or `undefined` if `#held` belongs to a chunk from the source. The buffer has free
   * space at its end. Small chunks can therefore be appended without copying the held bytes.
   */
  #buffer: Uint8Array | undefined

  constructor(bytes: AsyncIterable<Uint8Array>, held: Uint8Array) {
    this.#source = bytes[Symbol.asyncIterator]()
    this.#held = held
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  at(index: number): number | undefined {
    return this.#held[index]
  }

  /** Returns the first index of `pattern` in the buffered bytes, or -1 if they do not contain it. */
  find(pattern: Uint8Array): number {
    return indexOf(this.#held, pattern)
  }

  /** Skips `dropped` bytes, and then reads until at least `count` bytes are buffered. */
  async require(count: number, truncated: () => Error, dropped = 0): Promise<void> {
    this.#held = this.#held.subarray(dropped)
    while (this.#held.length < count) if (!(await this.#readMore())) throw truncated()
  }

  /** Consumes the next bytes if they match `pattern`. Returns whether they matched. */
  async consume(pattern: Uint8Array): Promise<boolean> {
    for (;;) {
      const available = Math.min(pattern.length, this.#held.length)
      for (let at = 0; at < available; at++) if (this.#held[at] !== pattern[at]) return false
      if (available === pattern.length) {
        this.#held = this.#held.subarray(available)
        return true
      }
      if (!(await this.#readMore())) return false
    }
  }

  /**
   * Returns one or more bytes that precede the delimiter. If the delimiter is next, consumes it and returns
   * `undefined`.
   */
  async readUntil(delimiter: Uint8Array, truncated: () => Error): Promise<Uint8Array | undefined> {
    for (;;) {
      const end = indexOf(this.#held, delimiter)
      if (end === 0) {
        this.#held = this.#held.subarray(delimiter.length)
        return undefined
      }
      // the buffered bytes might end with the start of a delimiter
      const safe = end === -1 ? this.#held.length - delimiter.length + 1 : end
      if (safe > 0) {
        const bytes = this.#held.subarray(0, safe)
        this.#held = this.#held.subarray(safe)
        return bytes
      }
      if (!(await this.#readMore())) throw truncated()
    }
  }

  /**
   * Reads all bytes before `end`, and consumes `end`. Returns `undefined` if `end` has not been found and more than
   * `maxBytes` bytes are buffered.
   */
  async readThrough(
    end: Uint8Array,
    maxBytes: number,
    truncated: () => Error,
  ): Promise<Uint8Array | undefined> {
    let searched = 0
    for (;;) {
      const at = indexOf(this.#held, end, searched)
      searched = Math.max(0, this.#held.length - end.length + 1)
      if (at !== -1) {
        const bytes = this.#held.subarray(0, at)
        this.#held = this.#held.subarray(at + end.length)
        return bytes
      }
      if (this.#held.length > maxBytes) return undefined
      if (!(await this.#readMore())) throw truncated()
    }
  }

  /** Buffers the next chunk. Returns `false` at the end of the source. */
  async #readMore(): Promise<boolean> {
    const { done: isDone, value } = await this.#source.next()
    if (isDone === true) return false
    this.#append(value)
    return true
  }

  #append(value: Uint8Array): void {
    const held = this.#held
    if (held.length === 0) {
      this.#held = value
      this.#buffer = undefined
      return
    }
    const length = held.length + value.length
    const buffer = this.#buffer
    const begin = held.byteOffset - (buffer?.byteOffset ?? 0)
    if (buffer !== undefined && begin + length <= buffer.length) {
      // this position follows all bytes that have been returned, so they are not overwritten
      buffer.set(value, begin + held.length)
      this.#held = buffer.subarray(begin, begin + length)
      return
    }
    const larger = new Uint8Array(2 * length)
    larger.set(held)
    larger.set(value, held.length)
    this.#buffer = larger
    this.#held = larger.subarray(0, length)
  }
}

/**
 * Returns the first index of `pattern`, or -1 if it does not occur. The search takes linear time, because the first
 * byte of a delimiter does not occur again in the delimiter.
 */
export const indexOf = (bytes: Uint8Array, pattern: Uint8Array, from = 0): number => {
  const [first = 0] = pattern
  let at = bytes.indexOf(first, from)
  while (at !== -1 && at + pattern.length <= bytes.length) {
    let matched = 1
    while (matched < pattern.length && bytes[at + matched] === pattern[matched]) matched++
    if (matched === pattern.length) return at
    at++
    // no search is needed if the next byte equals the first byte of the pattern
    if (bytes[at] !== first) at = bytes.indexOf(first, at)
  }
  return -1
}
