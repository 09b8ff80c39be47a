/** Pieces of which the first has been asked for. */
import type { ChunkSource } from '../../chunks.ts'

/** The same pieces, for somebody who has not asked yet. */
export const prependChunk = (
  first: ReturnType<ChunkSource['next']>,
  pieces: ChunkSource,
): ChunkSource => {
  let isFirst = true
  return {
    length: pieces.length,
    isFile: pieces.isFile,
    next: () => {
      if (!isFirst) return pieces.next()
      isFirst = false
      return first
    },
    close: () => pieces.close(),
    free: (piece) => pieces.free?.(piece),
  }
}
