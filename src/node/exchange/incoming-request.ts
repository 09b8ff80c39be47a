/**
 * A `node:http` request whose body can be buffered directly from the parser.
 *
 * The parser pushes bytes into the request stream, which emits them as events in a later iteration of the event loop. Reading the
 * bytes in `push` instead saves 3% to 5% of the CPU time for a body of 1 KB.
 */
import { ByteCollector } from '../../http/byte-collector.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import type { MemoryReservation } from '../../interpreter/memory-reservation.ts'
import { bodyTooLarge } from '../../compiler/settings/body-limit.ts'
import type { IncomingMessage } from 'node:http'
import { DiscardableMessage } from '../internals.ts'
import { isBytes } from '../../http/platform-value.ts'

export const emptyBody: Uint8Array = new Uint8Array(0)

/** Buffers a request body. The limit applies to the bytes received, even if the request has no `Content-Length` header. */
export class BufferedBody {
  readonly #chunks = new ByteCollector()
  readonly #limit: SizeLimit
  readonly #reservation: MemoryReservation
  readonly #callback: (body: Uint8Array | RequestFailure) => void
  #isSettled = false

  /** `callback` is called once: with the complete body or, as soon as a limit is exceeded, with a failure. */
  constructor(
    limit: SizeLimit,
    reservation: MemoryReservation,
    callback: (body: Uint8Array | RequestFailure) => void,
  ) {
    this.#limit = limit
    this.#reservation = reservation
    this.#callback = callback
  }

  /** Adds a chunk. Returns `false` if no further bytes are needed. */
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

  /** Discards the received bytes, and ignores all further chunks. Does not call the callback. */
  discard(): void {
    this.#isSettled = true
    this.#chunks.clear()
  }

  #fail(failure: RequestFailure): false {
    this.discard()
    this.#callback(failure)
    return false
  }
}

/** Buffers the body of a `node:http` request. */
export interface RequestBuffer {
  /**
   * Reads the whole body. `callback` is called at most once, and not at all if the client disconnects before the end of the body. A
   * body that arrives in one chunk is not copied.
   */
  readBody(
    limit: SizeLimit,
    reservation: MemoryReservation,
    callback: (body: Uint8Array | RequestFailure) => void,
  ): void
  /** Discards the part of the request body that has been received so far. */
  discardBody(): void
  /** Whether the server is waiting for bytes of the request body that the client has not sent yet. */
  readonly isAwaitingBody: boolean
}

/** Passes the events of a request to a body. */
export const readByEvents = (request: IncomingMessage, body: BufferedBody): void => {
  request.on('data', (chunk: Buffer) => body.add(chunk))
  request.on('end', () => body.end())
}

/** A `node:http` request whose body can be read in `push`, before the bytes enter the request stream. */
export class IncomingRequest extends DiscardableMessage implements RequestBuffer {
  /** The body if it is being read in `push`, otherwise `undefined`. */
  #pushedBody: BufferedBody | undefined = undefined
  /** The body that is being read, either in `push` or through events. */
  #body: BufferedBody | undefined = undefined

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
    readByEvents(this, body)
  }

  discardBody(): void {
    this.#body?.discard()
    this.#body = undefined
  }

  get isAwaitingBody(): boolean {
    if (this.complete) return false
    return (
      this.#pushedBody !== undefined || (this.readableFlowing === true && this.readableLength === 0)
    )
  }

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    const body = this.#pushedBody
    if (body === undefined) return super.push(chunk, encoding)
    if (isBytes(chunk) && body.add(chunk)) return true
    this.#pushedBody = undefined
    if (chunk !== null) return true
    const hasMore = super.push(null)
    body.end()
    return hasMore
  }
}
