/**
 * Responds with a stream. The head is sent together with the first chunk, so that an earlier error still results in an error
 * response.
 */
import { onStreamEnd } from '../../exchange.ts'
import type { ChunkSource } from '../../chunks.ts'
import type { DeferredResponse } from '../write-body.ts'
import type { Framing } from '../../../body/stream/framings.ts'
import { openSource } from '../../../body/stream/open-source.ts'
import { coalesce } from './coalesce.ts'

/** Responds with the stream that a handler returned. */
export const streamResponse =
  (source: unknown, framing: Framing): DeferredResponse =>
  async (head, exchange) => {
    const chunks = coalesce(openSource(source), framing, exchange.platform.turnBudget)
    onStreamEnd(exchange, () => chunks.close())
    if (exchange.method === 'HEAD') return { ...head, body: chunks }
    const first = chunks.next()
    await first
    return { ...head, body: prependChunk(first, chunks) }
  }

/** Puts a chunk that has already been read back in front of the remaining chunks. */
export const prependChunk = (
  first: ReturnType<ChunkSource['next']>,
  remaining: ChunkSource,
): ChunkSource => {
  let isFirst = true
  return {
    length: remaining.length,
    isFile: remaining.isFile,
    next: () => {
      if (!isFirst) return remaining.next()
      isFirst = false
      return first
    },
    close: () => remaining.close(),
    free: (chunk) => remaining.free?.(chunk),
  }
}
