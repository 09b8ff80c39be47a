/** Builds a chunk from text and bytes in any order. */

/** UTF-16 code units of text that are collected before they are encoded. Encoded, they may take three times as many bytes. */
const maxUnencoded = 8 * 1024

/** A chunk that is being built. */
export class ChunkBuilder {
  #text = ''
  #parts: Uint8Array[] = []
  /** The number of bytes, plus the code units of text that is not encoded yet. */
  size = 0

  get isEmpty(): boolean {
    return this.size === 0
  }

  add(part: string | Uint8Array): void {
    this.size += part.length
    if (typeof part === 'string') {
      this.#text += part
      if (this.#text.length >= maxUnencoded) this.#encode()
    } else if (part.length > 0) {
      this.#encode()
      this.#parts.push(part)
    }
  }

  /** Returns the chunk and starts an empty one. A single part is returned without being copied. */
  take(): string | Uint8Array {
    if (this.#parts.length === 0) {
      const text = this.#text
      this.#clear()
      return text
    }
    this.#encode()
    const [only] = this.#parts
    const chunk = only !== undefined && this.#parts.length === 1 ? only : concatenate(this.#parts)
    this.#clear()
    return chunk
  }

  #encode(): void {
    if (this.#text === '') return
    const encoded = encoder.encode(this.#text)
    this.size += encoded.length - this.#text.length
    this.#parts.push(encoded)
    this.#text = ''
  }

  #clear(): void {
    this.#text = ''
    this.#parts = []
    this.size = 0
  }
}

const encoder = new TextEncoder()

const concatenate = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  parts.reduce((offset, part) => {
    bytes.set(part, offset)
    return offset + part.length
  }, 0)
  return bytes
}
