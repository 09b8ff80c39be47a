/** A piece of a stream while it is put together, of text and octets in any order. */

/** UTF-16 units of text that may wait to be encoded: only then it is known how many octets they are, up to three times as many. */
const most = 8 * 1024

export class ChunkBuilder {
  #text = ''
  #octets: Uint8Array[] = []
  /** Octets, and the units of text that are not encoded yet. */
  size = 0

  get isEmpty(): boolean {
    return this.size === 0
  }

  add(part: string | Uint8Array): void {
    this.size += part.length
    if (typeof part === 'string') {
      this.#text += part
      if (this.#text.length >= most) this.#encode()
    } else if (part.length > 0) {
      this.#encode()
      this.#octets.push(part)
    }
  }

  /** What there is; the piece is empty then. A single part is given as it is. */
  take(): string | Uint8Array {
    if (this.#octets.length === 0) {
      const text = this.#text
      this.#clear()
      return text
    }
    this.#encode()
    const [only] = this.#octets
    const whole = only !== undefined && this.#octets.length === 1 ? only : joined(this.#octets)
    this.#clear()
    return whole
  }

  #encode(): void {
    if (this.#text === '') return
    const encoded = encoder.encode(this.#text)
    this.size += encoded.length - this.#text.length
    this.#octets.push(encoded)
    this.#text = ''
  }

  #clear(): void {
    this.#text = ''
    this.#octets = []
    this.size = 0
  }
}

const encoder = new TextEncoder()

const joined = (octets: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(octets.reduce((sum, { length }) => sum + length, 0))
  octets.reduce((at, one) => {
    whole.set(one, at)
    return at + one.length
  }, 0)
  return whole
}
