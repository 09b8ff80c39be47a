/**
 * Content that is not there as a whole: octets in pieces, each asked for when the one before has been taken up. Nothing is
 * made that nobody asks for, so whoever is slow at the end slows down the source.
 */

/** Content of a response that is made while it is sent. */
export interface ChunkSource {
  /** Octets in all, where that is known before: exactly so many have to come. */
  readonly length: number | undefined
  /** Whether all bytes exist already, as those of a file do. Otherwise it is a stream, which ends when the client half-closes. */
  readonly isFile?: boolean | undefined
  /** Asked again only when it has settled. What it rejects with cuts the connection: the head is on its way by then. */
  readonly next: () => Promise<IteratorResult<string | Uint8Array, unknown>>
  /** Nobody asks any more: the content is at its end, or the client has gone, or wants none (HEAD). It never throws. */
  readonly close: () => void
  /** The octets of a piece have left the process, so whoever made it may write over them. It need not be said. */
  readonly free?: ((piece: Uint8Array) => void) | undefined
}

export const isChunkSource = (
  content: string | Uint8Array | ChunkSource | undefined,
): content is ChunkSource => typeof content === 'object' && 'next' in content

export const isStreamed = (
  content: string | Uint8Array | ChunkSource | undefined,
): content is ChunkSource => isChunkSource(content) && content.isFile !== true

/** The same pieces, with somebody who is told when they break off; more or fewer octets than were announced do that too. */
export const observeChunks = (
  pieces: ChunkSource,
  failed: (error: unknown) => void,
): ChunkSource => {
  const { length } = pieces
  let octets = 0
  const next = async (): ReturnType<ChunkSource['next']> => {
    try {
      const result = await pieces.next()
      if (length === undefined) return result
      if (result.done !== true) octets += lengthOf(result.value)
      if (octets > length || (result.done === true && octets < length))
        throw new RangeError(`${octets} octets were sent where there should be ${length}`)
      return result
    } catch (error) {
      failed(error)
      throw error
    }
  }
  return {
    length,
    isFile: pieces.isFile,
    next,
    close: () => pieces.close(),
    free: (piece) => pieces.free?.(piece),
  }
}

const encoder = new TextEncoder()

const lengthOf = (piece: string | Uint8Array): number =>
  typeof piece === 'string' ? encoder.encode(piece).length : piece.length
