/** Sends sources of streams. The head leaves with what comes first, so that a failure before that is an answer like any other. */
import { onStreamEnd } from '../../exchange.ts'
import type { DeferredResponse } from '../deferred-response.ts'
import { prependChunk } from './first-chunk.ts'
import type { Framing } from '../../../body/stream/framings.ts'
import { coalesce } from './coalesce.ts'
import { openSource } from '../../../body/stream/open-source.ts'

/** The content of a response, from the source that a handler returned. */
export const streamResponse =
  (source: unknown, framing: Framing): DeferredResponse =>
  async (head, exchange) => {
    const pieces = coalesce(openSource(source), framing, exchange.platform.turnBudget)
    onStreamEnd(exchange, () => pieces.close())
    if (exchange.method === 'HEAD') return { ...head, body: pieces }
    const first = pieces.next()
    await first
    return { ...head, body: prependChunk(first, pieces) }
  }
