/**
 * Response bodies that are produced while they are sent. Each chunk is requested after the one before it was written, so a slow
 * client slows down the source (back-pressure).
 */

/** A streamed response body. */
export interface ChunkSource {
  /** The length in bytes, if known. Exactly as many bytes must follow. */
  readonly length: number | undefined
  /** Whether the body is a file, whose bytes all exist. Any other body is a stream, which ends when the client half-closes. */
  readonly isFile?: boolean | undefined
  /** Returns the next chunk. Called again only after its promise has settled. A rejection resets the connection: the head was sent. */
  readonly next: () => Promise<IteratorResult<string | Uint8Array, unknown>>
  /** Releases the source: at the end, after a disconnect, or because the response has no body (HEAD). Never throws. */
  readonly close: () => void
  /** Called when a chunk was sent, so that its memory can be reused. */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

export const isChunkSource = (
  content: string | Uint8Array | ChunkSource | undefined,
): content is ChunkSource => typeof content === 'object' && 'next' in content

export const isStreamed = (
  content: string | Uint8Array | ChunkSource | undefined,
): content is ChunkSource => isChunkSource(content) && content.isFile !== true

/** Returns the same chunks, and calls `failed` when they fail. A length other than the declared one is an error. */
export const observeChunks = (
  chunks: ChunkSource,
  failed: (error: unknown) => void,
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
      failed(error)
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
