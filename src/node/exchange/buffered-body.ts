/** Receives a request body that is read as a whole. */
import { ByteCollector } from '../../http/byte-collector.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import type { Reservation } from '../../interpreter/request-body/memory-reservation.ts'
import { tooLarge } from '../../interpreter/request-body/too-large.ts'

export const emptyBody: Uint8Array = new Uint8Array(0)

/** A request body that is being received. Its bytes are counted as they arrive, so that the limits hold for any `Content-Length`. */
export class BufferedBody {
  readonly #collected = new ByteCollector()
  readonly #limit: SizeLimit
  readonly #reservation: Reservation
  readonly #then: (content: Uint8Array | RequestFailure) => void
  #isOver = false

  /** `then` is called once: with the body, or as soon as the body is rejected. Later bytes are dropped. */
  constructor(
    limit: SizeLimit,
    reservation: Reservation,
    then: (content: Uint8Array | RequestFailure) => void,
  ) {
    this.#limit = limit
    this.#reservation = reservation
    this.#then = then
  }

  /** Returns whether more bytes are wanted. */
  add(chunk: Uint8Array): boolean {
    if (this.#isOver) return false
    if (this.#collected.length + chunk.length > this.#limit.bytes)
      return this.#fail(tooLarge(this.#limit))
    if (!this.#reservation.receive(chunk.length)) return this.#fail(this.#reservation.rejected())
    this.#collected.add(chunk)
    return true
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#reservation.settle()
    this.#then(this.#collected.take())
  }

  /** Drops the received bytes: the body is not wanted any more. `then` is not called. */
  drop(): void {
    this.#isOver = true
    this.#collected.clear()
  }

  #fail(failure: RequestFailure): false {
    this.drop()
    this.#then(failure)
    return false
  }
}
