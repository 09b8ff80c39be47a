/**
 * Reads chunked bodies (RFC 9112, 7.1).
 *
 * A table of transitions defines the grammar of everything except the data of the chunks. It is strict: lines end with CRLF, and no
 * whitespace surrounds a chunk size or an extension. Extensions and trailers are ignored, but limited.
 */
import type { HeadLimits } from '../exchange/request-head.ts'
import { HeadReader, incomplete, malformed, rejected } from './head-reader.ts'
import { classBits, classOf, compileTransitions, error } from './transitions.ts'

/**
 * The transitions. Chunk data follows the state `sizeLf`, and a trailer section follows it after a size of 0.
 *
 * ```text
 * chunked-body = *chunk last-chunk trailer-section CRLF
 * chunk        = chunk-size [ chunk-ext ] CRLF chunk-data CRLF
 * chunk-ext    = *( ";" token [ "=" ( token / quoted-string ) ] )
 * ```
 */
const { states, table } = compileTransitions({
  sizeStart: { hex: 'size' },
  size: { hex: 'size', semicolon: 'nameStart', cr: 'sizeLf' },
  nameStart: { token: 'extension' },
  extension: { token: 'extension', equals: 'valueStart', semicolon: 'nameStart', cr: 'sizeLf' },
  valueStart: { token: 'value', quote: 'quoted' },
  value: { token: 'value', semicolon: 'nameStart', cr: 'sizeLf' },
  quoted: {
    visible: 'quoted',
    obsolete: 'quoted',
    space: 'quoted',
    tab: 'quoted',
    backslash: 'escaped',
    quote: 'quotedEnd',
  },
  escaped: { visible: 'quoted', obsolete: 'quoted', space: 'quoted', tab: 'quoted' },
  quotedEnd: { semicolon: 'nameStart', cr: 'sizeLf' },
  sizeLf: { lf: 'data' },
  data: { cr: 'dataLf' },
  dataLf: { lf: 'sizeStart' },
})

const { sizeStart, size, sizeLf, data } = states

/** Maximum total size of the chunk extensions of a body, in bytes. */
const maxExtensions = 16 * 1024

/**
 * Maximum number of digits of a chunk size after leading zeros, as in the parser of Node.js. The body exceeds its limit before the
 * inexact representation of a size above 2 ** 53 has an effect.
 */
const maxDigits = 16

/** Maximum size, in bytes, of data that is moved. */
const maxMoved = 1024

/** Reads one chunked body. */
export class ChunkedReader {
  /** The reason for the result {@link rejected}. */
  failure = malformed
  readonly #limits: HeadLimits
  #state = sizeStart
  #digits = 0
  /** Number of bytes of the current chunk that have not been received. */
  #remaining = 0
  #extensions = 0
  #trailer: HeadReader | undefined = undefined

  constructor(limits: HeadLimits) {
    this.#limits = limits
  }

  /**
   * Reads bytes received from the connection from a position, and passes the data of the body to `onData`. Returns the position
   * after the body, {@link incomplete} or {@link rejected}.
   *
   * The data of a small chunk is moved behind the data before it, so that a client cannot cause a call for each byte.
   */
  read(bytes: Buffer, from: number, onData: (data: Buffer) => void): number {
    let at = from
    let start = from
    let end = from
    while (at < bytes.length) {
      if (this.#trailer !== undefined) break
      if (this.#state === data && this.#remaining > 0) {
        const stop = Math.min(bytes.length, at + this.#remaining)
        const length = stop - at
        this.#remaining -= length
        if (end > start && length <= maxMoved) {
          bytes.copyWithin(end, at, stop)
          end += length
        } else {
          if (end > start) onData(bytes.subarray(start, end))
          start = at
          end = stop
        }
        at = stop
      } else if (!this.#readByte(bytes[at++] ?? 0)) {
        at = rejected
        break
      }
    }
    if (end > start) onData(bytes.subarray(start, end))
    if (at === rejected) return rejected
    return this.#trailer !== undefined && at < bytes.length
      ? this.#readTrailer(this.#trailer, bytes, at)
      : incomplete
  }

  /** Reads a byte outside the data of a chunk. Returns `false` if the body is rejected. */
  #readByte(byte: number): boolean {
    const next = table[(this.#state << classBits) | (classOf[byte] ?? 0)] ?? error
    if (next === error) return false
    this.#state = next
    if (next === size) {
      if ((this.#digits > 0 || byte !== zero) && ++this.#digits > maxDigits) return false
      this.#remaining = this.#remaining * 16 + digitOf(byte)
    } else if (next < sizeLf && next > size) {
      if (++this.#extensions > maxExtensions) {
        this.failure = { _tag: 'ContentTooLarge', detail: 'The chunk extensions are too large.' }
        return false
      }
    } else if (next === data) {
      this.#digits = 0
      if (this.#remaining === 0) this.#trailer = new HeadReader(this.#limits, true)
    }
    return true
  }

  #readTrailer(trailer: HeadReader, chunk: Buffer, at: number): number {
    const end = trailer.read(chunk, at)
    if (end === rejected) this.failure = trailer.failure
    if (end < 0) return end
    const { rawHeaders } = trailer.take()
    return rawHeaders.some((name, index) => index % 2 === 0 && isFraming(name)) ? rejected : end
  }
}

const zero = '0'.charCodeAt(0)

/** Returns the value of a hexadecimal digit. The seventh bit is set only in letters. */
const digitOf = (byte: number): number => (byte & 0xf) + (byte >> 6) * 9

/** Whether a header frames a message. Such headers are not allowed in trailers (RFC 9110, 6.5.1). */
const isFraming = (name: string): boolean => /^(?:content-length|transfer-encoding)$/i.test(name)
