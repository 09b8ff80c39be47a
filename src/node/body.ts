/**
 * Gathers the content of a request: octets are counted as they come, so that a limit holds whatever `Content-Length` said.
 */
import type { Failure } from '../http/failure.ts'
import type { SizeLimit } from '../interpreter/size-limit.ts'
import { tooLarge } from '../interpreter/too-large.ts'

export const nothing: Uint8Array = new Uint8Array(0)

/** Content on its way. `then` is called once, at the end or when there is too much; what comes behind is dropped. */
export class Content {
  readonly #pieces: Uint8Array[] = []
  readonly #limit: SizeLimit
  readonly #then: (content: Uint8Array | Failure) => void
  #octets = 0

  constructor(limit: SizeLimit, then: (content: Uint8Array | Failure) => void) {
    this.#limit = limit
    this.#then = then
  }

  /** Whether more may come. */
  add(piece: Uint8Array): boolean {
    if (this.#octets > this.#limit.bytes) return false
    this.#octets += piece.length
    if (this.#octets <= this.#limit.bytes) {
      this.#pieces.push(piece)
      return true
    }
    this.#then(tooLarge(this.#limit))
    return false
  }

  end(): void {
    if (this.#octets > this.#limit.bytes) return
    const [only = nothing] = this.#pieces
    this.#then(this.#pieces.length < 2 ? only : Buffer.concat(this.#pieces, this.#octets))
  }
}
