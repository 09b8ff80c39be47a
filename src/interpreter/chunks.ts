/**
 * Streams of chunks for request and response bodies.
 *
 * A chunk is requested only after the previous chunk has been processed. A slow receiver therefore slows down the source
 * (back-pressure).
 */

/** A request body as a stream of chunks. */
export interface BodyStream extends AsyncIterableIterator<Uint8Array> {
  /**
   * Releases a chunk that is no longer needed, so that its memory can be reused. Must not be called for a chunk that a handler
   * has received.
   */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

/**
 * Returns a function that releases chunks of a stream, or `undefined` if the stream does not reuse chunks. Unlike `stream.free`, the
 * returned function can be called without a `this` value.
 */
export const chunkReleaser = (stream: Pick<BodyStream, 'free'>): BodyStream['free'] =>
  stream.free === undefined ? undefined : (chunk) => stream.free?.(chunk)

/** A response body that is sent in chunks: a stream or a file. */
export interface ChunkSource {
  /** The length in bytes, or `undefined` if it is unknown. A known length must be the exact total length of the chunks. */
  readonly length: number | undefined
  /**
   * Whether the body is a file rather than a stream.
   *
   * If the client half-closes the connection (stops sending), a file is still sent completely, because all its bytes already
   * exist. A stream ends as soon as it waits for its source.
   */
  readonly isFile?: boolean | undefined
  /**
   * Returns the next chunk. Must not be called again until the promise has settled. If the promise is rejected, the connection is
   * reset, because the head has already been sent.
   */
  readonly next: () => Promise<IteratorResult<string | Uint8Array, unknown>>
  /**
   * Releases the source. Called when the body has ended, when the client disconnects, or when the body is not sent, as in a
   * response to HEAD. Never throws.
   */
  readonly close: () => void
  /** Releases a chunk that has been sent, so that its memory can be reused. */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

/** Whether a body is sent in chunks. This applies to streams and files. */
export const isChunkSource = (
  body: string | Uint8Array | ChunkSource | undefined,
): body is ChunkSource => typeof body === 'object' && 'next' in body

/** Whether a body is a stream. A file is not a stream. */
export const isStreamed = (
  body: string | Uint8Array | ChunkSource | undefined,
): body is ChunkSource => isChunkSource(body) && body.isFile !== true

/**
 * Wraps a source so that `onError` is called if reading a chunk fails. If the total length differs from the declared length,
 * reading fails with a `RangeError`.
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
    free: chunkReleaser(chunks),
  }
}

const encoder = new TextEncoder()

/** Returns the size of a chunk in bytes. */
export const lengthOf = (chunk: string | Uint8Array): number =>
  typeof chunk === 'string' ? encoder.encode(chunk).length : chunk.length
