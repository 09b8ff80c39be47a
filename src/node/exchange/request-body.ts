/**
 * Reads request bodies, as a whole or as streams, and releases the memory of the chunks of streams.
 *
 * The first call to `next` of a stream starts reading and sends 100 (Continue) if the client is waiting for it. The connection is
 * paused when 256 KiB have been buffered. Pausing and resuming the connection for every chunk would take up a sixth of the time of a
 * 1 MB upload.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import { bodyTooLarge } from '../../compiler/settings/body-limit.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { isArrayBuffer } from '../../http/platform-value.ts'
import { readError } from '../../interpreter/errors/error-response.ts'
import type { BodyStream } from '../../interpreter/exchange.ts'
import type { MemoryReservation } from '../../interpreter/memory-reservation.ts'

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

/** Minimum size, in bytes, of a buffer that is released explicitly. Leaving smaller buffers to the garbage collector is cheaper. */
const minReleaseSize = 16 * 1024

/**
 * Releases the buffer of a typed array if the buffer is large enough and the array covers all of it. All other buffers are left to
 * the garbage collector.
 */
export const releaseMemory = ({ buffer, byteLength }: Uint8Array): void => {
  if (byteLength >= minReleaseSize && byteLength === buffer.byteLength && isArrayBuffer(buffer))
    detach(buffer)
}

const transfer: unknown = Reflect.get(ArrayBuffer.prototype, 'transfer')

/**
 * Detaches a buffer by transferring its memory to a new buffer of length 0. In Node.js versions before 22, the buffer is
 * transferred to a closed port instead.
 */
const detach =
  typeof transfer === 'function'
    ? (buffer: ArrayBuffer): void => void Reflect.apply(transfer, buffer, [0])
    : (buffer: ArrayBuffer): void => closedPort().postMessage(undefined, [buffer])

let port: MessagePort | undefined

/** Returns a closed port. The port discards every message and releases the buffers transferred with it. */
const closedPort = (): MessagePort => {
  if (port === undefined) {
    port = new MessageChannel().port1
    port.close()
  }
  return port
}

/** Size, in bytes, of the block that `retainFreedMemory` allocates. */
const freedBlockSize = 20 * 1024 * 1024

/**
 * Makes glibc keep up to 40 MiB of freed memory for later chunks. Other allocators are not affected.
 *
 * Applications may keep the chunks of a streamed body, so only garbage collections release them. V8 starts a minor collection when
 * new buffers occupy 32 MiB. By default, glibc then returns most of this memory to the kernel, which must map and clear it again
 * for later chunks. The limit on the memory that glibc keeps is twice the size of the largest block that has been mapped separately
 * and freed. This function therefore allocates and frees a large block. The block is never accessed, so it occupies no memory. For
 * reading the parts of a 1 MB upload, this saves 25% of the CPU time (`npm run streams -- --only parts` in `bench`).
 */
export const retainFreedMemory = (): void => detach(Buffer.allocUnsafeSlow(freedBlockSize).buffer)

/** Total size of the buffered chunks, in bytes, at which the connection is paused. */
const highWaterMark = 256 * 1024

/**
 * Number of bytes counted for each buffered chunk in addition to its length. This overhead matters if a client sends chunks of one
 * byte.
 */
const bytesPerArray = 256

type Result = IteratorResult<Uint8Array, undefined>

interface PendingRead {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Receives a request body. */
export interface BodySink {
  readonly onData: (chunk: Uint8Array) => void
  /** Called when the whole body has been received. */
  readonly onEnd: () => void
  /** Called when the connection closes. */
  readonly onClose: () => void
}

/** A request body that is received in chunks. */
export interface RequestBodySource {
  /** Starts passing the body to a sink. Reports at once if the body has already ended or the connection is already closed. */
  attach(sink: BodySink): void
  /** Stops passing the body to the sink. */
  detach(sink: BodySink): void
  /** Stops receiving. */
  pause(): void
  /** Continues receiving. If no sink is attached, the rest of the body is discarded. */
  resume(): void
  /** Whether nothing except the sink, which may already be detached, receives the chunks. */
  isExclusive(isAttached: boolean): boolean
}

/** Returns the body of a request that is a stream of Node.js. */
export const readableSource = (request: Readable): RequestBodySource => ({
  attach: ({ onData, onEnd, onClose }) => {
    if (request.readableEnded) return onEnd()
    if (request.destroyed) return onClose()
    request.on('data', onData).on('end', onEnd).on('close', onClose)
  },
  detach: ({ onData, onEnd, onClose }) =>
    void request.off('data', onData).off('end', onEnd).off('close', onClose),
  pause: () => void request.pause(),
  resume: () => void request.resume(),
  isExclusive: (isAttached) => request.listenerCount('data') === (isAttached ? 1 : 0),
})

/** A stream that reads a request body and enforces a size limit. */
export class RequestBodyStream implements BodyStream, BodySink {
  readonly #request: RequestBodySource
  readonly #limit: SizeLimit
  readonly #onStart: () => void
  readonly #reservation: MemoryReservation
  readonly #pendingReads: PendingRead[] = []
  #buffered: Uint8Array[] = []
  /** Memory occupied by the buffered chunks, in bytes. */
  #bufferedSize = 0
  /** Number of bytes received so far. */
  received = 0
  #hasStarted = false
  #hasEnded = false
  /** An error that occurred while no read was pending. The next read rejects with this error. */
  #error: Error | undefined = undefined

  /** `onStart` is called before the first byte is requested from the client. */
  constructor(
    request: RequestBodySource,
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
      if (!this.#hasEnded && this.#hasRoom()) this.#request.resume()
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

  /** Releases the memory of a chunk, unless the application has its own `data` listener and might still be using the chunk. */
  free(chunk: Uint8Array): void {
    if (this.#request.isExclusive(!this.#hasEnded)) releaseMemory(chunk)
  }

  /** Stops reading and pauses the connection. */
  return(): Promise<Result> {
    this.#dropBuffered()
    if (!this.#hasEnded) {
      this.#end()
      if (this.#hasStarted) this.#request.pause()
    }
    return Promise.resolve(done)
  }

  /**
   * Discards the rest of the body when the response is sent, so that the next request on the connection can be received.
   *
   * A pending read rejects with the error for `failure`. If `failure` is `undefined`, the read rejects with an error that has the
   * code `ERR_STREAM_PREMATURE_CLOSE`.
   */
  discard(failure: RequestFailure | undefined): void {
    this.#dropBuffered()
    if (!this.#hasEnded)
      this.#end(failure === undefined ? closedError('response already sent') : readError(failure))
    // Node.js discards a body that was never read
    if (this.#hasStarted) this.#request.resume()
  }

  #start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#onStart()
    this.#request.attach(this)
  }

  readonly onData = (chunk: Uint8Array): void => {
    this.received += chunk.length
    if (this.received > this.#limit.bytes) {
      this.#end(readError(bodyTooLarge(this.#limit)))
      this.#request.pause()
      return
    }
    const read = this.#pendingReads.shift()
    if (read !== undefined) return read.resolve({ done: false, value: chunk })
    this.#buffered.push(chunk)
    this.#countBuffered(chunk.length + bytesPerArray)
    if (!this.#hasRoom()) this.#request.pause()
  }

  readonly onEnd = (): void => this.#end()

  /** Ends the stream because the client has disconnected. The next read after all buffered chunks rejects. */
  readonly onClose = (): void => this.#end(closedError('the client has disconnected'))

  /**
   * Whether there is room to buffer another chunk. If no body memory is free, the next chunk is received only after all buffered
   * chunks have been read. Because this rule does not depend on other exchanges, it cannot cause a deadlock.
   */
  #hasRoom(): boolean {
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

  /**
   * Ends the stream. If `error` is set, one read rejects with it: the first pending read or, if no read is pending, the next read.
   * All other reads report the end of the stream.
   */
  #end(error?: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#request.detach(this)
    const first = error === undefined ? undefined : this.#pendingReads.shift()
    if (first === undefined) this.#error = error
    else first.reject(error)
    for (const { resolve } of this.#pendingReads.splice(0)) resolve(done)
  }
}

/** Returns an empty stream. `onStart` is called when reading starts. */
export async function* emptyBodyStream(onStart: () => void): AsyncGenerator<Uint8Array, undefined> {
  onStart()
  yield* []
}

const done: Result = { done: true, value: undefined }

const closedError = (message: string): Error =>
  Object.assign(new Error(message), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
