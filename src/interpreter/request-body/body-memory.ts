/**
 * Counts the bytes of all request and response bodies that a server holds in memory, and bounds their sum.
 *
 * Nothing waits for memory: a request is accepted or rejected at once. A body that waits while it holds memory could wait for
 * another one that waits too, and neither would ever end.
 */
export class BodyMemory {
  readonly limit: number
  readonly #onReject: () => void
  #used = 0

  /** `onReject` is called for every body that is rejected. `limit` is `Infinity` if the sum is not bounded. */
  constructor(limit: number, onReject: () => void = () => undefined) {
    this.limit = limit
    this.#onReject = onReject
  }

  /** Bytes that are held or reserved. */
  get used(): number {
    return this.#used
  }

  /** Bytes up to the limit. It is negative while more is held, since response bodies exist before they are counted. */
  get free(): number {
    return this.limit - this.#used
  }

  /** Reserves up to `most` bytes. Returns the number of reserved bytes, or 0 if fewer than `least` are free. */
  reserve(most: number, least: number): number {
    const granted = Math.min(most, this.free)
    if (granted < least) return 0
    this.#used += granted
    return granted
  }

  /** Counts bytes that are in memory already. */
  add(bytes: number): void {
    this.#used += bytes
  }

  release(bytes: number): void {
    this.#used -= bytes
  }

  /** Reports that a body is rejected. */
  reject(): void {
    this.#onReject()
  }
}
