/** Receives a request body as a whole. */
import { ByteCollector } from '../../http/byte-collector.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import type { MemoryReservation } from '../../interpreter/request-body/memory-reservation.ts'
import { bodyTooLarge } from '../../compiler/settings/size-limit.ts'

export const emptyBody: Uint8Array = new Uint8Array(0)

/** A request body that is being received. Bytes are counted as they arrive, so limits hold whatever `Content-Length` announces. */
export class BufferedBody {
  readonly #chunks = new ByteCollector()
  readonly #limit: SizeLimit
  readonly #reservation: MemoryReservation
  readonly #callback: (body: Uint8Array | RequestFailure) => void
  #isSettled = false

  /** `callback` is called once: with the body, or as soon as the body is rejected. Later bytes are dropped. */
  constructor(
    limit: SizeLimit,
    reservation: MemoryReservation,
    callback: (body: Uint8Array | RequestFailure) => void,
  ) {
    this.#limit = limit
    this.#reservation = reservation
    this.#callback = callback
  }

  /** Adds bytes. Returns false if no further bytes are needed. */
  add(chunk: Uint8Array): boolean {
    if (this.#isSettled) return false
    if (this.#chunks.length + chunk.length > this.#limit.bytes)
      return this.#fail(bodyTooLarge(this.#limit))
    if (!this.#reservation.receive(chunk.length)) return this.#fail(this.#reservation.rejected())
    this.#chunks.add(chunk)
    return true
  }

  end(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#reservation.settle()
    this.#callback(this.#chunks.take())
  }

  /** Drops the received bytes without calling the callback. */
  drop(): void {
    this.#isSettled = true
    this.#chunks.clear()
  }

  #fail(failure: RequestFailure): false {
    this.drop()
    this.#callback(failure)
    return false
  }
}
