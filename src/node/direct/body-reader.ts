/** Reads the body of a request from the connection, as framed by its head (RFC 9112, 6.3). */
import type { RequestFailure } from '../../http/failure.ts'
import type { HeadLimits, RequestHead } from '../exchange/request-head.ts'
import { ChunkedReader } from './chunked-reader.ts'
import { incomplete, malformed } from './head-reader.ts'
import type { IncomingBody } from './incoming-body.ts'

/** Passes the bytes of one body to an {@link IncomingBody}. */
export class BodyReader {
  readonly #body: IncomingBody
  readonly #isShared: boolean
  readonly #chunked: ChunkedReader | undefined
  /** Number of bytes that have not been received, if the length is known. */
  #remaining: number

  /** If `isShared` is `true`, the bytes are copied, because the buffers that are read are used again. */
  constructor(body: IncomingBody, head: RequestHead, limits: HeadLimits, isShared: boolean) {
    this.#body = body
    this.#isShared = isShared
    this.#chunked = head.coding === undefined ? undefined : new ChunkedReader(limits)
    this.#remaining = head.length
  }

  /** Whether the application wants no further bytes at the moment. */
  get isPaused(): boolean {
    return this.#body.isPaused
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
    this.#body.push(this.#isShared ? copyOf(bytes) : bytes)
  }

  complete(): void {
    this.#body.complete()
  }

  /** Ends the body because the connection has closed. */
  abort(): void {
    this.#body.abort()
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
