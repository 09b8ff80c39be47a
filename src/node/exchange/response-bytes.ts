/** The bytes of a response: how many there are, and how they are written in one system call. */
import { Socket } from 'node:net'
import type { EncodedResponse } from '../../interpreter/exchange.ts'

/** Returns the number of bytes of a response body; `undefined` for a stream of unknown length. */
export const bodyLength = (body: EncodedResponse['body']): number | undefined =>
  body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length

/**
 * Returns a body of `length` bytes in a form that `ServerResponse.end` writes correctly with the encoding `latin1`.
 *
 * Node writes the head in the encoding of a string body, and header values are `latin1`. With this encoding, an ASCII string takes
 * up to a sixth less CPU time. Other strings are encoded as UTF-8 here.
 */
export const latin1Chunk = (
  body: string | Uint8Array | undefined,
  length: number,
): string | Uint8Array | undefined =>
  typeof body === 'string' && body.length !== length ? Buffer.from(body) : body

/**
 * Makes a socket omit the empty chunk with which Node ends every response.
 *
 * With two chunks, Node calls `writev`, for which the bytes are allocated and copied again. A plain `write` of the first chunk
 * has the same effect, and a response of 13 bytes takes 5 to 6 % less CPU time.
 *
 * @see https://nodejs.org/api/stream.html#writable_writevchunks-callback
 */
export const omitEmptyChunk = (socket: Socket): void => {
  socket._writev = writeChunks
}

interface Chunk {
  readonly chunk: unknown
  readonly encoding: BufferEncoding
}

function writeChunks(
  this: Socket,
  chunks: Chunk[],
  callback: (error?: Error | null) => void,
): void {
  const [first, second] = chunks
  if (first !== undefined && second?.chunk === '' && chunks.length === 2)
    this._write(first.chunk, first.encoding, callback)
  else Socket.prototype._writev?.call(this, chunks, callback)
}
