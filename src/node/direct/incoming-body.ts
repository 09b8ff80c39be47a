/**
 * The body of a request while it is being received from the connection.
 *
 * A body that the application does not read yet is kept in memory up to 64 KiB, so that most requests are received completely, and
 * a disconnect is noticed. Then the connection is paused.
 */
import type { RequestFailure } from '../../http/failure.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import type { MemoryReservation } from '../../interpreter/memory-reservation.ts'
import type { BodySink, RequestBodySource, RequestBuffer } from '../exchange/request-body.ts'
import { BufferedBody } from '../exchange/request-body.ts'
import type { HeadLimits, RequestHead } from '../exchange/request-head.ts'
import { ChunkedReader } from './chunked-reader.ts'
import { incomplete, malformed } from './head-reader.ts'

/** Number of unread bytes at which the connection is paused. */
const highWaterMark = 64 * 1024

/** Receives a body from the connection, and passes it to the application: as a whole, or to a sink. */
export class IncomingBody implements RequestBuffer, RequestBodySource {
  /** Whether the whole body has been received. */
  isComplete = false
  /** Whether no further bytes should be received from the connection at the moment. */
  isPaused = false
  /** Called when `isPaused` changes. */
  readonly #onFlow: () => void
  #unread: Uint8Array[] = []
  #unreadLength = 0
  #buffered: BufferedBody | undefined = undefined
  #sink: BodySink | undefined = undefined
  #isDropped = false
  #isAborted = false

  constructor(onFlow: () => void) {
    this.#onFlow = onFlow
  }

  get isAwaitingBody(): boolean {
    return (
      !this.isComplete &&
      !this.isPaused &&
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
    this.isComplete = true
    this.isPaused = false
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
    if (this.isComplete) body.end()
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
    if (this.isComplete) this.#sink?.onEnd()
    else if (this.#isAborted) this.#sink?.onClose()
  }

  detach(): void {
    this.#sink = undefined
    this.#isDropped = true
    this.#takeUnread()
  }

  pause(): void {
    if (this.isPaused || this.isComplete) return
    this.isPaused = true
    this.#onFlow()
  }

  resume(): void {
    if (!this.isPaused) return
    this.isPaused = false
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

/** Passes the bytes of one body, as framed by its head (RFC 9112, 6.3), to an {@link IncomingBody}. */
export class BodyReader {
  readonly body: IncomingBody
  readonly #isShared: boolean
  readonly #chunked: ChunkedReader | undefined
  /** Number of bytes that have not been received, if the length is known. */
  #remaining: number

  /** If `isShared` is `true`, the bytes are copied, because the buffers that are read are used again. */
  constructor(body: IncomingBody, head: RequestHead, limits: HeadLimits, isShared: boolean) {
    this.body = body
    this.#isShared = isShared
    this.#chunked = head.coding === undefined ? undefined : new ChunkedReader(limits)
    this.#remaining = head.length
  }

  /** The reason for the result `rejected`. */
  get failure(): RequestFailure {
    return this.#chunked?.failure ?? malformed
  }

  /** Reads a chunk from a position. Returns the position after the body, `incomplete` or `rejected`. */
  read(chunk: Buffer, from: number): number {
    if (this.#chunked !== undefined)
      return this.#chunked.read(chunk, from, (bytes) => this.#push(bytes))
    const end = from + this.#remaining
    const isWhole = from === 0 && end >= chunk.length
    this.#push(isWhole ? chunk : chunk.subarray(from, end))
    this.#remaining = Math.max(0, end - chunk.length)
    return end <= chunk.length ? end : incomplete
  }

  #push(bytes: Buffer): void {
    this.body.push(this.#isShared ? copyOf(bytes) : bytes)
  }
}

/** Number of bytes from which a copy has an array buffer of its own, so that its memory can be released. */
const minOwnBuffer = 4096

const copyOf = (bytes: Buffer): Buffer => {
  if (bytes.length < minOwnBuffer) return Buffer.from(bytes)
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}
