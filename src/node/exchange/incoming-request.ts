/**
 * An `IncomingMessage` whose body can be read directly from the parser.
 *
 * The parser pushes bytes into the request, and Node's streams emit them as events some turns later. Reading them in `push` takes
 * 3 to 5 % less CPU time for a body of 1 KB.
 */
import { IncomingMessage } from 'node:http'
import type { RequestFailure } from '../../http/failure.ts'
import type { MemoryReservation } from '../../interpreter/request-body/memory-reservation.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import { BufferedBody } from './buffered-body.ts'

export class IncomingRequest extends IncomingMessage {
  /** The body while it is read in `push`. */
  #pushedBody: BufferedBody | undefined = undefined
  /** The body while it is read in `push` or by events. */
  #body: BufferedBody | undefined = undefined

  /**
   * Reads the whole body. `callback` is called once, or not at all if the client disconnects before the end. A body that arrives
   * in one chunk is not copied.
   */
  readBody(
    limit: SizeLimit,
    reservation: MemoryReservation,
    callback: (body: Uint8Array | RequestFailure) => void,
  ): void {
    const body = new BufferedBody(limit, reservation, callback)
    this.#body = body
    if (!this.complete && this.readableLength === 0) {
      this.#pushedBody = body
      return
    }
    this.on('data', (chunk: Buffer) => body.add(chunk))
    this.on('end', () => body.end())
  }

  /** Drops the received bytes of a body that is no longer needed. */
  dropBody(): void {
    this.#body?.drop()
    this.#body = undefined
  }

  /** Whether the server waits for bytes of the body that the client has not sent yet. */
  get isAwaitingBody(): boolean {
    if (this.complete) return false
    return (
      this.#pushedBody !== undefined || (this.readableFlowing === true && this.readableLength === 0)
    )
  }

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    const body = this.#pushedBody
    if (body === undefined) return super.push(chunk, encoding)
    if (chunk instanceof Uint8Array && body.add(chunk)) return true
    this.#pushedBody = undefined
    if (chunk !== null) return true
    const hasMore = super.push(null)
    body.end()
    return hasMore
  }
}
