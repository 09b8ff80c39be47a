/** Sends sources of streams. The head leaves with what comes first, so that a failure before that is an answer like any other. */
import { onStreamEnd } from '../../exchange.ts'
import type { Opening } from '../deferred-response.ts'
import { begunWith } from './first-chunk.ts'
import type { Framing } from '../../../body/stream/framings.ts'
import { gathered } from './coalesce.ts'
import { asked } from '../../../body/stream/open-source.ts'

/** The content of a response, from the source that a handler returned. */
export const streamed =
  (source: unknown, framing: Framing): Opening =>
  async (head, exchange) => {
    const pieces = gathered(asked(source), framing, exchange.system.turnBudget)
    onStreamEnd(exchange, () => pieces.close())
    if (exchange.method === 'HEAD') return { ...head, content: pieces }
    const first = pieces.next()
    await first
    return { ...head, content: begunWith(first, pieces) }
  }
