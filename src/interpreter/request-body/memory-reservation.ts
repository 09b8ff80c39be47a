/**
 * The share of one exchange in the body memory of its server.
 *
 * A request body reserves as much again as has arrived, and at least {@link reservationWindow} bytes, but never more than it can have:
 *
 * - Reserving the announced length at once would let clients that announce large bodies and send nothing lock out all
 *   others: with a limit of 64M, 64 connections would be enough. This way, occupying the memory takes sending half of it.
 * - Reserving only what has arrived would admit any number of bodies, of which none could be finished within the limit.
 *   This way, a body whose size is known can only be rejected before half of it has arrived, and one of up to
 *   {@link reservationWindow} bytes only at its begin.
 *
 * The size of a chunked or compressed body is unknown. It takes what is left where less than its whole step is free, so it is
 * rejected only if there is no room for the bytes that have arrived.
 */
import type { RequestFailure } from '../../http/failure.ts'
import type { BodyMemory } from './body-memory.ts'

/** Bytes that a body reserves before the first one has arrived. Most JSON bodies are smaller. */
export const reservationWindow = 16 * 1024

export class MemoryReservation {
  readonly #memory: BodyMemory
  /** Announced bytes; `undefined` if unknown. */
  #length: number | undefined = undefined
  /** Bytes that the body can have. */
  #most = Infinity
  #received = 0
  #reserved = 0
  #kept = 0
  #isRequestOver = false
  #isOver = false

  constructor(memory: BodyMemory) {
    this.#memory = memory
  }

  /** Bytes that are counted for this exchange. */
  get held(): number {
    return this.#reserved + this.#kept
  }

  /** Whether no byte is left for new bodies. */
  get isFull(): boolean {
    return this.#memory.free <= 0
  }

  /**
   * Admits a request body of at most `limit` bytes, or exactly `length` if that is known. Returns whether there is room. The
   * whole length must be free at that moment, although only a part is reserved: what cannot fit is rejected before it is sent.
   */
  admit(limit: number, length: number | undefined): boolean {
    this.#length = length
    this.#most = length ?? limit
    return (length === undefined || length <= this.#memory.free) && this.#extend()
  }

  /** Counts bytes of the request body that have arrived and stay in memory. Returns whether there is room for them. */
  receive(bytes: number): boolean {
    if (this.#isRequestOver) return true
    this.#received += bytes
    return this.#reserved >= this.#most || this.#extend()
  }

  /** Gives back bytes of the request body that have left memory, such as those written to a file. */
  discard(bytes: number): void {
    this.#received -= Math.min(bytes, this.#received)
    this.settle()
  }

  /** Gives back what is reserved for bytes that will not arrive. */
  settle(): void {
    if (this.#reserved <= this.#received) return
    this.#memory.release(this.#reserved - this.#received)
    this.#reserved = this.#received
  }

  /** Counts bytes that are in memory already, and are never rejected. */
  keep(bytes: number): void {
    if (this.#isOver) return
    this.#kept += bytes
    this.#memory.add(bytes)
  }

  /** Gives back bytes that `keep` has counted. */
  drop(bytes: number): void {
    if (this.#isOver) return
    this.#kept -= bytes
    this.#memory.release(bytes)
  }

  /** Reports that the body is rejected. */
  rejected(): RequestFailure {
    this.#memory.reject()
    return { _tag: 'BodyMemoryExhausted' }
  }

  /** Gives back everything that the request body holds. Later bytes of it are not counted. */
  endRequest(): void {
    this.#isRequestOver = true
    this.#memory.release(this.#reserved)
    this.#reserved = 0
  }

  /** Gives everything back. Later calls change nothing. */
  release(): void {
    if (this.#isOver) return
    this.endRequest()
    this.#isOver = true
    this.#memory.release(this.#kept)
    this.#kept = 0
  }

  #extend(): boolean {
    const wanted =
      Math.min(this.#most, Math.max(reservationWindow, 2 * this.#received)) - this.#reserved
    if (wanted <= 0) return true
    const granted = this.#memory.reserve(wanted, this.#length === undefined ? 1 : wanted)
    this.#reserved += granted
    if (this.#length !== undefined) return granted > 0
    return this.#reserved > 0 && this.#reserved >= this.#received
  }
}
