/**
 * Limits the memory that a server uses for request and response bodies, and tracks how much of it is held by each exchange.
 *
 * A request body reserves twice the number of bytes that have arrived, but at least {@link reservationWindow} bytes and at most
 * its maximum size. Two simpler strategies have disadvantages:
 *
 * - The server could reserve the declared length immediately. Clients that declare large bodies but send nothing could then block
 *   all other clients. With a limit of 64M, 64 connections would be enough. With the strategy used here, a client must send half of
 *   the bytes that it reserves.
 * - The server could reserve only the bytes that have arrived. It would then admit any number of bodies, even if none of them could
 *   be completed within the limit. With the strategy used here, a body of known size can be rejected only before half of it has
 *   arrived. A body of up to {@link reservationWindow} bytes can be rejected only at its start.
 *
 * The size of a chunked or compressed body is unknown. If such a body needs to reserve more memory than is free, it reserves all
 * free memory. It is therefore rejected only if there is no room for the bytes that have arrived.
 */
import type { RequestFailure } from '../http/failure.ts'

/**
 * Tracks how many bytes of request and response bodies a server holds in memory, and limits the total.
 *
 * A request is accepted or rejected immediately and never waits for memory. If requests could wait, two of them that already hold
 * memory could block each other forever.
 */
export class BodyMemory {
  readonly limit: number
  readonly #onReject: () => void
  #used = 0

  /** `onReject` is called for every rejected body. A `limit` of `Infinity` disables the limit. */
  constructor(limit: number, onReject: () => void = () => undefined) {
    this.limit = limit
    this.#onReject = onReject
  }

  /** The number of bytes that are in memory or reserved. */
  get used(): number {
    return this.#used
  }

  /**
   * The number of free bytes. The limit can be exceeded, because response bodies are counted only after they have been created.
   * In that case, the number is negative.
   */
  get free(): number {
    return this.limit - this.#used
  }

  /**
   * Reserves up to `maximum` bytes and returns the number of reserved bytes. If fewer than `minimum` bytes are free, reserves
   * nothing and returns `0`.
   */
  reserve(maximum: number, minimum: number): number {
    const granted = Math.min(maximum, this.free)
    if (granted < minimum) return 0
    this.#used += granted
    return granted
  }

  /** Adds to the number of used bytes, even if the limit is exceeded, because the bytes are already in memory. */
  add(bytes: number): void {
    this.#used += bytes
  }

  release(bytes: number): void {
    this.#used -= bytes
  }

  /** Calls the `onReject` callback. Must be called for every rejected body. */
  reject(): void {
    this.#onReject()
  }
}

/** Number of bytes that are reserved for a body before its first byte arrives. Most JSON bodies are smaller. */
export const reservationWindow = 16 * 1024

/** The part of the server's {@link BodyMemory} that is held by one exchange. */
export class MemoryReservation {
  readonly #memory: BodyMemory
  /** The declared length of the request body in bytes, or `undefined` if the length is unknown. */
  #length: number | undefined = undefined
  /** The maximum size of the request body in bytes. */
  #maximum = Infinity
  #received = 0
  #reserved = 0
  #kept = 0
  #isRequestOver = false
  #isOver = false

  constructor(memory: BodyMemory) {
    this.#memory = memory
  }

  /** The number of bytes held by this exchange. */
  get held(): number {
    return this.#reserved + this.#kept
  }

  /** Whether all body memory is in use. */
  get isFull(): boolean {
    return this.#memory.free <= 0
  }

  /**
   * Admits a request body of at most `limit` bytes, or of exactly `length` bytes if the length is known. Returns whether there is
   * room for the body.
   *
   * If the length is known, memory for the entire body must be free, although only part of it is reserved. A body that does not
   * fit is therefore rejected before the client sends it.
   */
  admit(limit: number, length: number | undefined): boolean {
    this.#length = length
    this.#maximum = length ?? limit
    return (length === undefined || length <= this.#memory.free) && this.#extend()
  }

  /** Adds to the number of request body bytes that are held in memory. Returns whether there is room for these bytes. */
  receive(bytes: number): boolean {
    if (this.#isRequestOver) return true
    this.#received += bytes
    return this.#reserved >= this.#maximum || this.#extend()
  }

  /** Releases bytes of the request body that are no longer in memory, for example, because they have been written to a file. */
  discard(bytes: number): void {
    this.#received -= Math.min(bytes, this.#received)
    this.settle()
  }

  /** Reduces the reservation to the number of received bytes that are still in memory. */
  settle(): void {
    if (this.#reserved <= this.#received) return
    this.#memory.release(this.#reserved - this.#received)
    this.#reserved = this.#received
  }

  /** Adds to the number of held bytes, even if the limit is exceeded, because the bytes are already in memory. */
  keep(bytes: number): void {
    if (this.#isOver) return
    this.#kept += bytes
    this.#memory.add(bytes)
  }

  /** Releases bytes that were added with `keep`. */
  drop(bytes: number): void {
    if (this.#isOver) return
    this.#kept -= bytes
    this.#memory.release(bytes)
  }

  /** Reports the rejection of the request body to the server's body memory, and returns the failure for the response. */
  rejected(): RequestFailure {
    this.#memory.reject()
    return { _tag: 'BodyMemoryExhausted' }
  }

  /** Releases all bytes of the request body. Bytes that arrive later are not counted. */
  endRequest(): void {
    this.#isRequestOver = true
    this.#memory.release(this.#reserved)
    this.#reserved = 0
  }

  /** Releases all memory held by the exchange. Later calls have no effect. */
  release(): void {
    if (this.#isOver) return
    this.endRequest()
    this.#isOver = true
    this.#memory.release(this.#kept)
    this.#kept = 0
  }

  #extend(): boolean {
    const missing =
      Math.min(this.#maximum, Math.max(reservationWindow, 2 * this.#received)) - this.#reserved
    if (missing <= 0) return true
    const granted = this.#memory.reserve(missing, this.#length === undefined ? 1 : missing)
    this.#reserved += granted
    if (this.#length !== undefined) return granted > 0
    return this.#reserved > 0 && this.#reserved >= this.#received
  }
}
