/** Pieces of which the first has been asked for. */
import type { Pieces } from '../../chunks.ts'

/** The same pieces, for somebody who has not asked yet. */
export const begunWith = (first: ReturnType<Pieces['next']>, pieces: Pieces): Pieces => {
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
