/** Rejects encoded responses that cannot be held in memory. */
import type { Headers } from '../../http/headers.ts'
import type { Answer, Exchange } from '../exchange.ts'
import { beside } from './response-headers.ts'
import { isPieces } from '../chunks.ts'
import { refuse } from '../errors/error-response.ts'

/** What of the request state is used. */
interface Responding {
  readonly exchange: Exchange
  /** Headers that filters have added. */
  readonly added: Headers
}

/**
 * Returns a response, or a 503 if it cannot be held in memory. A problem document is small enough to be held. The handler has
 * run by then, and with it the effects of an unsafe method: the alternative would be to run out of memory.
 */
export const withinMemory = (
  answer: Answer,
  { exchange, added }: Responding,
  instance: () => string,
): Answer => {
  if (exchange.hasRoomFor?.(answer) !== false) return answer
  if (isPieces(answer.content)) answer.content.close()
  const rejection = refuse({ _tag: 'BodyMemoryExhausted' }, exchange, instance())
  const { status, headers, content } = rejection
  return added.length === 0
    ? rejection
    : { status, headers: [...headers, ...beside(added, headers)], content }
}
