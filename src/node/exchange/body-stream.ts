/**
 * A request body that is read as a stream.
 *
 * Reading starts with the first call of `next`: only then is 100 (Continue) sent. Chunks are buffered up to 256 KiB before the
 * connection is paused, because pausing and resuming for every chunk took a sixth of the time of a 1 MB upload.
 */
import type { RequestFailure } from '../../http/failure.ts'
import { bodyTooLarge } from '../../compiler/settings/size-limit.ts'
import type { BodyStream } from '../../interpreter/request-body/body-stream.ts'
import type { MemoryReservation } from '../../interpreter/request-body/memory-reservation.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import { readError } from '../../interpreter/errors/failure-error.ts'
import { releaseMemory } from './release-memory.ts'
import type { IncomingRequest } from './incoming-request.ts'

/** Bytes of buffered chunks at which the connection is paused. */
const highWaterMark = 256 * 1024

/** Bytes that an array takes in addition to its content: a client may send chunks of one byte. */
const bytesPerArray = 256

type Result = IteratorResult<Uint8Array, undefined>

interface PendingRead {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export class RequestBodyStream implements BodyStream {
  readonly #request: IncomingRequest
  readonly #limit: SizeLimit
  readonly #onStart: () => void
  readonly #reservation: MemoryReservation
  readonly #pendingReads: PendingRead[] = []
  #buffered: Uint8Array[] = []
  /** Bytes of memory that the buffered chunks take. */
  #bufferedSize = 0
  #received = 0
  #hasStarted = false
  #hasEnded = false
  /** An error that occurred while no read was pending. */
  #error: Error | undefined = undefined

  /** `onStart` is called before the first byte is requested from the client. */
  constructor(
    request: IncomingRequest,
    limit: SizeLimit,
    onStart: () => void,
    reservation: MemoryReservation,
  ) {
    this.#request = request
    this.#limit = limit
    this.#onStart = onStart
    this.#reservation = reservation
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    const chunk = this.#buffered.shift()
    if (chunk !== undefined) {
      this.#countBuffered(-chunk.length - bytesPerArray)
      if (!this.#hasEnded && this.#hasRoom) this.#request.resume()
      return Promise.resolve({ done: false, value: chunk })
    }
    const error = this.#error
    this.#error = undefined
    if (error !== undefined) return Promise.reject(error)
    if (this.#hasEnded) return Promise.resolve(done)
    return new Promise((resolve, reject) => {
      this.#pendingReads.push({ resolve, reject })
      this.#start()
      this.#request.resume()
    })
  }

  /** Releases the memory of a chunk, unless an application listens for `data` too and may still use the chunk. */
  free(chunk: Uint8Array): void {
    if (this.#request.listenerCount('data') === (this.#hasEnded ? 0 : 1)) releaseMemory(chunk)
  }

  /** Stops reading, and pauses the connection. */
  return(): Promise<Result> {
    this.#dropBuffered()
    if (!this.#hasEnded) {
      this.#end()
      if (this.#hasStarted) this.#request.pause()
    }
    return Promise.resolve(done)
  }

  /**
   * Discards the rest of the body once the response is sent, so that the next request of the connection can be received. A pending
   * read rejects with `failure`, or with the error of a closed stream.
   */
  discard(failure: RequestFailure | undefined): void {
    this.#dropBuffered()
    if (!this.#hasEnded)
      this.#end(failure === undefined ? closedError('response already sent') : readError(failure))
    // Node.js itself discards a body that was never read
    if (this.#hasStarted) this.#request.resume()
  }

  #start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    const request = this.#request
    this.#onStart()
    if (request.readableEnded) return this.#onEnd()
    if (request.destroyed) return this.#onClose()
    request.on('data', this.#onData)
    request.on('end', this.#onEnd)
    request.on('close', this.#onClose)
  }

  readonly #onData = (chunk: Uint8Array): void => {
    this.#received += chunk.length
    if (this.#received > this.#limit.bytes) {
      this.#end(readError(bodyTooLarge(this.#limit)))
      this.#request.pause()
      return
    }
    const read = this.#pendingReads.shift()
    if (read !== undefined) return read.resolve({ done: false, value: chunk })
    this.#buffered.push(chunk)
    this.#countBuffered(chunk.length + bytesPerArray)
    if (!this.#hasRoom) this.#request.pause()
  }

  readonly #onEnd = (): void => this.#end()

  readonly #onClose = (): void => this.#end(closedError('the client has disconnected'))

  /**
   * Whether another chunk may be buffered. Without free body memory, the next chunk is received once the buffered ones are read;
   * that depends on no other exchange, so it cannot deadlock.
   */
  get #hasRoom(): boolean {
    return (
      this.#bufferedSize === 0 || (this.#bufferedSize < highWaterMark && !this.#reservation.isFull)
    )
  }

  #countBuffered(bytes: number): void {
    this.#bufferedSize += bytes
    if (bytes > 0) this.#reservation.keep(bytes)
    else this.#reservation.drop(-bytes)
  }

  #dropBuffered(): void {
    this.#buffered = []
    this.#countBuffered(-this.#bufferedSize)
  }

  /** Ends the stream. The first pending or next read rejects with `error`, later ones return the end. */
  #end(error?: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const request = this.#request
    request.off('data', this.#onData)
    request.off('end', this.#onEnd)
    request.off('close', this.#onClose)
    const first = error === undefined ? undefined : this.#pendingReads.shift()
    if (first === undefined) this.#error = error
    else first.reject(error)
    for (const { resolve } of this.#pendingReads.splice(0)) resolve(done)
  }
}

/** Returns an empty stream, which calls `onStart` when it is read. */
export async function* emptyBodyStream(onStart: () => void): AsyncGenerator<Uint8Array, undefined> {
  onStart()
  yield* []
}

const done: Result = { done: true, value: undefined }

const closedError = (message: string): Error =>
  Object.assign(new Error(message), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
