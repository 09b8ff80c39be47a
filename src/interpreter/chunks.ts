/**
 * Request and response bodies as streams of chunks. Each chunk is requested after the previous chunk has been processed, so a
 * slow receiver slows down the source (back-pressure).
 */

/** The body of a request, as a stream of chunks. */
export interface BodyStream extends AsyncIterableIterator<Uint8Array> {
  /**
   * Releases a chunk that is no longer read, so that the memory of the chunk can be reused. Never called with bytes that a
   * handler has received.
   */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

/** Returns a function that frees chunks from a stream. The function can be called without the stream as `this`. */
export const chunkReleaser =
  (stream: BodyStream): BodyStream['free'] =>
  (chunk) =>
    stream.free?.(chunk)

/** A response body in chunks: a stream or a file. */
export interface ChunkSource {
  /** The length in bytes, or `undefined` if the length is unknown. The chunks must contain exactly this number of bytes. */
  readonly length: number | undefined
  /**
   * Whether the body is a file. A file is sent completely even if the client half-closes the connection (stops sending), because
   * all bytes already exist. Any other body is a stream, which ends at a half-close.
   */
  readonly isFile?: boolean | undefined
  /**
   * Returns the next chunk. Must not be called again until the promise has settled. If the promise rejects, the connection is
   * reset, because the head has already been sent.
   */
  readonly next: () => Promise<IteratorResult<string | Uint8Array, unknown>>
  /** Releases the source. Called at the end of the body, after a disconnect, or if the body is not sent (HEAD). Never throws. */
  readonly close: () => void
  /** Releases a chunk that has been sent, so that the memory of the chunk can be reused. */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

/** Whether a body is a stream or a file, which are both sent in chunks. */
export const isChunkSource = (
  body: string | Uint8Array | ChunkSource | undefined,
): body is ChunkSource => typeof body === 'object' && 'next' in body

/** Whether a body is a stream. Returns `false` for a file. */
export const isStreamed = (
  body: string | Uint8Array | ChunkSource | undefined,
): body is ChunkSource => isChunkSource(body) && body.isFile !== true

/**
 * Returns a source that yields the same chunks and calls `onError` if reading a chunk fails. If the total length differs from the
 * declared length, reading fails with a `RangeError`.
 */
export const observeChunks = (
  chunks: ChunkSource,
  onError: (error: unknown) => void,
): ChunkSource => {
  const { length } = chunks
  let bytes = 0
  const next = async (): ReturnType<ChunkSource['next']> => {
    try {
      const result = await chunks.next()
      if (length === undefined) return result
      if (result.done !== true) bytes += lengthOf(result.value)
      if (bytes > length || (result.done === true && bytes < length))
        throw new RangeError(`expected a body of ${length} bytes, got ${bytes}`)
      return result
    } catch (error) {
      onError(error)
      throw error
    }
  }
  return {
    length,
    isFile: chunks.isFile,
    next,
    close: () => chunks.close(),
    free: (chunk) => chunks.free?.(chunk),
  }
}

const encoder = new TextEncoder()

const lengthOf = (chunk: string | Uint8Array): number =>
  typeof chunk === 'string' ? encoder.encode(chunk).length : chunk.length
