/**
 * The byte stream between a socket and `node:http2`. It reads the frames that `node:http2` handles without an event.
 *
 * It costs 1 to 2 µs of CPU for each request.
 */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Frame } from './frame-reader.ts'
import { FrameReader, frameTypes } from './frame-reader.ts'
import { HeaderBlockScanner } from './header-block-scanner.ts'

const flags = { ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const

/** Length, in bytes, of the preface that precedes the frames of a client (RFC 9113, 3.4). */
const prefaceLength = 24

/** Receives the events of a {@link Http2Transport}. */
export interface TransportObserver {
  /** Maximum number of consecutive streams that `node:http2` can reject without an event. */
  readonly maxRejected: number
  /** Called when the client has opened too many streams that were rejected. */
  readonly onRejected: () => void
  /** Called with the code of a GOAWAY frame that reports an error. `node:http2` processes no frame after it. */
  readonly onError: (code: number) => void
}

/** The header section of a new stream. */
export interface ReceivedSection {
  readonly stream: number
  /** The number of fields in the section. `node:http2` does not report fields with an invalid name or value. */
  readonly fields: number
  /** Whether a name or a value was too long for `node:http2`, and has been cut. */
  readonly isCut: boolean
}

/** The byte stream of a connection, as `node:http2` reads and writes it. */
export class Http2Transport extends Duplex {
  readonly #socket: Socket
  readonly #observer: TransportObserver
  readonly #received = new FrameReader(
    new Set([frameTypes.headers, frameTypes.continuation, frameTypes.settings]),
    prefaceLength,
    (frame) => this.#onFrame(frame),
  )
  readonly #sent = new FrameReader(new Set([frameTypes.goaway]), 0, (frame) =>
    this.#onGoaway(frame),
  )
  /** The header sections of new streams, in the order of their arrival. */
  readonly #sections: ReceivedSection[] = []
  #latestStream = 0
  #block = new HeaderBlockScanner()
  #acknowledgements = 0
  #isDiscarding = false
  #isFailed = false

  constructor(socket: Socket, observer: TransportObserver) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#observer = observer
    const pass = (bytes: Buffer): void => void this.emit('data', bytes)
    socket.on('data', (chunk: Buffer) => {
      if (!this.#isDiscarding) this.#received.read(chunk, pass)
    })
    // without its side of the connection, a client can update no flow-control windows
    socket.on('end', () => this.destroy())
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  /**
   * Returns the header section of a new stream, and forgets it and those of earlier streams. Returns `undefined` if no header section was received.
   */
  takeSection(stream: number): ReceivedSection | undefined {
    const index = this.#sections.findIndex((section) => section.stream === stream)
    return this.#sections.splice(0, index + 1)[index]
  }

  /** Discards what the client sends from now on. */
  discardInput(): void {
    this.#isDiscarding = true
    this.#socket.resume()
  }

  /** Writes to the socket, which buffers. The stream has no buffers of its own. */
  override write(chunk: Buffer, callback?: BufferEncoding | WriteCallback): boolean {
    this.#sent.read(chunk, ignore)
    return this.#socket.write(chunk, typeof callback === 'function' ? callback : undefined)
  }

  override cork(): void {
    this.#socket.cork()
  }

  override uncork(): void {
    this.#socket.uncork()
  }

  override pause(): this {
    this.#socket.pause()
    return this
  }

  override resume(): this {
    this.#socket.resume()
    return this
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback)
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // the last frames, such as GOAWAY, are still sent
    this.#socket.destroySoon()
    callback(error)
  }

  #onFrame(frame: Frame): Frame | undefined {
    const { type, flags: set, stream, payload } = frame
    if (type === frameTypes.settings) {
      if ((set & flags.ack) === 0 || payload.length > 0) return frame
      // only the first SETTINGS frame of the server is acknowledged: see `Http2Connection`
      return ++this.#acknowledgements === 1 ? frame : undefined
    }
    if (type === frameTypes.headers) this.#block = new HeaderBlockScanner()
    const [start, end] = type === frameTypes.headers ? blockOf(set, payload) : [0, payload.length]
    const block = payload.subarray(start, end)
    const scanned = this.#block.add(block)
    // a section of an earlier stream contains trailers
    if ((set & flags.endHeaders) !== 0 && stream > this.#latestStream) {
      this.#latestStream = stream
      const { fields, isCut } = this.#block
      if (this.#sections.push({ stream, fields, isCut }) > this.#observer.maxRejected)
        this.#observer.onRejected()
    }
    if (scanned === block) return frame
    const rest = [payload.subarray(0, start), scanned, payload.subarray(end)]
    return { ...frame, payload: Buffer.concat(rest) }
  }

  #onGoaway(frame: Frame): Frame {
    const code = frame.payload.length < 8 ? 0 : frame.payload.readUInt32BE(4)
    if (code !== 0 && !this.#isFailed) {
      this.#isFailed = true
      this.discardInput()
      // after the frame has been written
      setImmediate(() => this.#observer.onError(code))
    }
    return frame
  }
}

/** Returns the start and the end of the header block in a HEADERS frame (RFC 9113, 6.2). */
const blockOf = (set: number, payload: Buffer): readonly [start: number, end: number] => {
  const isPadded = (set & flags.padded) !== 0
  const start = Number(isPadded) + ((set & flags.priority) !== 0 ? 5 : 0)
  return [start, Math.max(start, payload.length - (isPadded ? (payload[0] ?? 0) : 0))]
}

type WriteCallback = (error?: Error | null) => void

const ignore = (): void => undefined
