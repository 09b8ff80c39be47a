/** Compresses content in pieces, each as it comes: an event of a stream does not wait for the next one. */
import type { Compression } from './compressors.ts'
import type { ChunkSource } from '../chunks.ts'

/** The same pieces, compressed. Nothing is begun before the first is asked for, so that HEAD holds nothing. */
export const compressChunks = (pieces: ChunkSource, begin: () => Compression): ChunkSource => {
  let compression: Compression | undefined
  let isOver = false
  return {
    length: undefined,
    isFile: pieces.isFile,
    next: async () => {
      while (!isOver) {
        const { done, value } = await pieces.next()
        // the client may have gone meanwhile
        if (isOver) break
        compression ??= begin()
        isOver = done === true
        const octets = await (done === true ? compression.end() : compression.write(value))
        if (octets.length > 0) return { done: false, value: octets }
      }
      return { done: true, value: undefined }
    },
    close: () => {
      isOver = true
      pieces.close()
      compression?.close()
    },
  }
}
