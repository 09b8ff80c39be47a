/** Compresses the chunks of a body, each one when it arrives, so that an event of a stream does not wait for the next. */
import type { Compression } from './compressors.ts'
import type { ChunkSource } from '../chunks.ts'

/** Compresses a body in chunks. `start` is called when the first chunk arrives, so a response to HEAD creates no compressor. */
export const compressChunks = (chunks: ChunkSource, start: () => Compression): ChunkSource => {
  let compression: Compression | undefined
  let isOver = false
  return {
    length: undefined,
    isFile: chunks.isFile,
    next: async () => {
      while (!isOver) {
        const { done, value } = await chunks.next()
        // the client may have disconnected in the meantime
        if (isOver) break
        compression ??= start()
        isOver = done === true
        const bytes = await (done === true ? compression.end() : compression.write(value))
        if (bytes.length > 0) return { done: false, value: bytes }
      }
      return { done: true, value: undefined }
    },
    close: () => {
      isOver = true
      chunks.close()
      compression?.close()
    },
  }
}
