/**
 * Gathers the content of a request: octets are counted as they come, so that a limit holds whatever `Content-Length` said.
 */
import type { Failure } from '../http/failure.ts'

export const nothing: Uint8Array = new Uint8Array(0)

/** The failure of a content with more octets than the limit. */
export const tooLarge = (limit: number): Failure => ({
  _tag: 'ContentTooLarge',
  detail: `The content has more than ${limit} octets (fw.http.limits.max-body-size).`,
})

/** Content on its way. `then` is called once, at the end or when there is too much; what comes behind is dropped. */
export class Content {
  readonly #pieces: Uint8Array[] = []
  readonly #limit: number
  readonly #then: (content: Uint8Array | Failure) => void
  #octets = 0

  constructor(limit: number, then: (content: Uint8Array | Failure) => void) {
    this.#limit = limit
    this.#then = then
  }

  /** Whether more may come. */
  add(piece: Uint8Array): boolean {
    if (this.#octets > this.#limit) return false
    this.#octets += piece.length
    if (this.#octets <= this.#limit) {
      this.#pieces.push(piece)
      return true
    }
    this.#then(tooLarge(this.#limit))
    return false
  }

  end(): void {
    if (this.#octets > this.#limit) return
    const [only = nothing] = this.#pieces
    this.#then(this.#pieces.length < 2 ? only : Buffer.concat(this.#pieces, this.#octets))
  }
}
