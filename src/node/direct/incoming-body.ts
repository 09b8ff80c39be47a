/**
 * The body of a request while it is being received.
 *
 * A body that the application does not read yet is kept in memory up to 64 KiB, so that most requests are received completely, and
 * a disconnect is noticed. Then the connection is paused.
 */
import type { RequestFailure } from '../../http/failure.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import type { MemoryReservation } from '../../interpreter/memory-reservation.ts'
import type { BodySink, RequestBodySource } from '../exchange/body-stream.ts'
import type { RequestBuffer } from '../exchange/incoming-request.ts'
import { BufferedBody } from '../exchange/incoming-request.ts'

/** Number of unread bytes at which the connection is paused. */
const highWaterMark = 64 * 1024

/** Receives a body from the connection, and passes it to the application: as a whole, or to a sink. */
export class IncomingBody implements RequestBuffer, RequestBodySource {
  /** Called when `isPaused` changes. */
  readonly #onFlow: () => void
  #unread: Uint8Array[] = []
  #unreadLength = 0
  #buffered: BufferedBody | undefined = undefined
  #sink: BodySink | undefined = undefined
  #isDropped = false
  #isComplete = false
  #isAborted = false
  #isPaused = false

  constructor(onFlow: () => void) {
    this.#onFlow = onFlow
  }

  /** Whether the whole body has been received. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Whether no further bytes should be received from the connection at the moment. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  get isAwaitingBody(): boolean {
    return (
      !this.#isComplete &&
      !this.#isPaused &&
      (this.#buffered !== undefined || this.#sink !== undefined || this.#isDropped)
    )
  }

  /** Receives bytes of the body. */
  push(chunk: Uint8Array): void {
    if (this.#buffered !== undefined) this.#buffered.add(chunk)
    else if (this.#sink !== undefined) this.#sink.onData(chunk)
    else if (!this.#isDropped) {
      this.#unread.push(chunk)
      this.#unreadLength += chunk.length
      if (this.#unreadLength >= highWaterMark) this.pause()
    }
  }

  /** Ends the body. Called after its last byte. */
  complete(): void {
    this.#isComplete = true
    this.#isPaused = false
    this.#buffered?.end()
    this.#sink?.onEnd()
  }

  /** Ends the body because the connection has closed. */
  abort(): void {
    this.#isAborted = true
    this.#sink?.onClose()
  }

  readBody(
    limit: SizeLimit,
    reservation: MemoryReservation,
    callback: (body: Uint8Array | RequestFailure) => void,
  ): void {
    const body = new BufferedBody(limit, reservation, callback)
    this.#buffered = body
    for (const chunk of this.#takeUnread()) body.add(chunk)
    if (this.#isComplete) body.end()
    else this.resume()
  }

  /** Discards the body: what has been received, and what is still to be received. */
  discardBody(): void {
    this.#isDropped = true
    this.#takeUnread()
    this.#buffered?.discard()
    this.#buffered = undefined
  }

  attach(sink: BodySink): void {
    this.#sink = sink
    for (const chunk of this.#takeUnread()) this.#sink?.onData(chunk)
    if (this.#isComplete) this.#sink?.onEnd()
    else if (this.#isAborted) this.#sink?.onClose()
  }

  detach(): void {
    this.#sink = undefined
    this.#isDropped = true
    this.#takeUnread()
  }

  pause(): void {
    if (this.#isPaused || this.#isComplete) return
    this.#isPaused = true
    this.#onFlow()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#onFlow()
  }

  isExclusive(): boolean {
    return true
  }

  #takeUnread(): ReadonlyArray<Uint8Array> {
    const chunks = this.#unread
    this.#unread = []
    this.#unreadLength = 0
    return chunks
  }
}

/** The body of a request that has none. */
export const emptyRequestBody: RequestBuffer = {
  readBody: (_limit, _reservation, callback) => callback(new Uint8Array()),
  discardBody: () => undefined,
  isAwaitingBody: false,
}
