/** Limits the memory that the unsent responses of one HTTP/2 connection occupy. */
import { BodyMemory } from '../../interpreter/memory-reservation.ts'

/** The part of the body memory that a connection can always fill. */
const share = 1 / 256

/** The part of the body memory above which the share of a connection applies. */
const threshold = 1 / 2

/**
 * The body memory of a server, as the responses of one connection use it.
 *
 * A client that reads nothing can have many requests in progress. While more than half of the body memory is in use, a connection that
 * holds 1/256 of it has no room for further responses. One hundred connections whose clients read nothing therefore leave room for others.
 */
export class ConnectionMemory extends BodyMemory {
  readonly #server: BodyMemory

  constructor(server: BodyMemory) {
    super(server.limit, () => server.reject())
    this.#server = server
  }

  override get free(): number {
    const { used, limit, free } = this.#server
    return used > limit * threshold && this.used >= limit * share ? 0 : free
  }

  override reserve(maximum: number, minimum: number): number {
    const granted = super.reserve(maximum, minimum)
    this.#server.add(granted)
    return granted
  }

  override add(bytes: number): void {
    super.add(bytes)
    this.#server.add(bytes)
  }

  override release(bytes: number): void {
    super.release(bytes)
    this.#server.release(bytes)
  }
}
