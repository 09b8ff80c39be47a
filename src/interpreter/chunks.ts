/**
 * Content that is not there as a whole: bytes in chunks, each asked for when the one before has been taken up. Nothing is
 * made that nobody asks for, so whoever is slow at the end slows down the source.
 */

/** Content of a response that is made while it is sent. */
export interface ChunkSource {
  /** Bytes in all, where that is known before: exactly so many have to come. */
  readonly length: number | undefined
  /** Whether all bytes exist already, as those of a file do. Otherwise it is a stream, which ends when the client half-closes. */
  readonly isFile?: boolean | undefined
  /** Asked again only when it has settled. What it rejects with cuts the connection: the head is on its way by then. */
  readonly next: () => Promise<IteratorResult<string | Uint8Array, unknown>>
  /** Nobody asks any more: the content is at its end, or the client has gone, or wants none (HEAD). It never throws. */
  readonly close: () => void
  /** The bytes of a chunk have left the process, so whoever made it may write over them. It need not be said. */
  readonly free?: ((chunk: Uint8Array) => void) | undefined
}

export const isChunkSource = (
  content: string | Uint8Array | ChunkSource | undefined,
): content is ChunkSource => typeof content === 'object' && 'next' in content

export const isStreamed = (
  content: string | Uint8Array | ChunkSource | undefined,
): content is ChunkSource => isChunkSource(content) && content.isFile !== true

/** The same chunks, with somebody who is errorOf when they break off; more or fewer bytes than were announced do that too. */
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
        throw new RangeError(`${bytes} bytes were sent where there should be ${length}`)
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
