/** Writes the head and the body of a response to an HTTP/2 stream. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Headers } from '../../http/headers.ts'
import type { ChunkTarget } from '../exchange/send-chunks.ts'

/** Headers that describe an HTTP/1.1 connection, and that a client must reject in HTTP/2 (RFC 9113, 8.2.2). */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** Headers that are sent several times, because clients do not support their values in one list. */
const repeatable: ReadonlySet<string> = new Set([
  'set-cookie',
  'www-authenticate',
  'proxy-authenticate',
])

/**
 * Converts a status and headers to the form that `node:http2` sends. Omits headers of the connection. The values of other repeated
 * headers are combined into one list (RFC 9110, 5.3).
 *
 * Throws an error for an invalid name or value, as Node.js does in HTTP/1.1. A proxy that forwards the response with HTTP/1.1 could
 * otherwise send other headers.
 */
export const responseHeaders = (status: number, headers: Headers): OutgoingHttpHeaders => {
  // names such as `constructor` and `__proto__` are names like any other
  const result = new Map<string, string | number | string[]>([[':status', status]])
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]?.toLowerCase() ?? ''
    const value = headers[index + 1] ?? ''
    if (connectionHeaders.has(name)) continue
    validateHeaderName(name)
    validateHeaderValue(name, value)
    const before = result.get(name)
    if (before === undefined) result.set(name, repeatable.has(name) ? [value] : value)
    else if (Array.isArray(before)) before.push(value)
    else result.set(name, `${before}, ${value}`)
  }
  return Object.fromEntries(result)
}

/** Resets a stream. `code` is an error code of RFC 9113, section 7. */
export const resetStream = (stream: ServerHttp2Stream, code: number): void => {
  // before RST_STREAM, Node.js would end the body as if it were complete
  stream.end = () => stream
  stream.close(code)
}

/** Maximum number of bytes passed to `node:http2` at once. Progress is known only after all of them have been sent. */
export const sliceSize = 64 * 1024

/** Writes the body of a response, and records since when the client has accepted none of its bytes. */
export class ResponseWriter implements ChunkTarget {
  readonly #stream: ServerHttp2Stream
  #unsent = 0
  #waitingSince = 0

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream
  }

  get destroyed(): boolean {
    // Node.js ends the writable side when the client resets the stream
    return this.#stream.destroyed || this.#stream.closed
  }

  get writableLength(): number {
    return this.#unsent
  }

  /** Returns for how many milliseconds the client has accepted no bytes. Returns `0` if there are no unsent bytes. */
  stallTime(now: number): number {
    return this.#unsent === 0 ? 0 : now - this.#waitingSince
  }

  write(chunk: Uint8Array, callback: (error?: Error | null) => void): boolean {
    if (this.#unsent === 0) this.#waitingSince = performance.now()
    this.#unsent += chunk.length
    this.#writeSlices(chunk, 0, callback)
    return !this.#stream.writableNeedDrain
  }

  /** Writes the whole body and ends the response. */
  end(body: Uint8Array): void {
    const stream = this.#stream
    this.#unsent = body.length
    this.#waitingSince = performance.now()
    const onSent = (): void => {
      this.#unsent = 0
    }
    // a single frame contains the body and ends the stream
    if (body.length <= sliceSize) stream.end(body, onSent)
    else
      this.#writeSlices(body, 0, (error) => {
        if (error === undefined || error === null) stream.end()
      })
  }

  flushHeaders(): void {
    // `respond` sends the head without waiting for the body
  }

  #writeSlices(chunk: Uint8Array, start: number, callback: (error?: Error | null) => void): void {
    const end = Math.min(start + sliceSize, chunk.length)
    this.#stream.write(
      start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end),
      (error) => {
        this.#unsent -= end - start
        this.#waitingSince = performance.now()
        if ((error !== undefined && error !== null) || this.destroyed)
          return callback(error ?? closedError())
        if (end === chunk.length) callback()
        else this.#writeSlices(chunk, end, callback)
      },
    )
  }
}

const closedError = (): Error => new Error('the stream is closed')
