/** Rejects encoded responses that cannot be held in memory. */
import type { Headers } from '../../http/headers.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { mergeHeaders } from './response-headers.ts'
import { isChunkSource } from '../chunks.ts'
import { encodeFailure } from '../errors/error-response.ts'

/** What of the request state is used. */
interface Responding {
  readonly exchange: Exchange
  /** Headers that filters have addedHeaders. */
  readonly addedHeaders: Headers
}

/**
 * Returns a response, or a 503 if it cannot be held in memory. A problem document is small enough to be held. The handler has
 * run by then, and with it the effects of an unsafe method: the alternative would be to run out of memory.
 */
export const limitMemory = (
  answer: EncodedResponse,
  { exchange, addedHeaders }: Responding,
  instance: () => string,
): EncodedResponse => {
  if (exchange.hasRoomFor?.(answer) !== false) return answer
  if (isChunkSource(answer.body)) answer.body.close()
  const rejection = encodeFailure({ _tag: 'BodyMemoryExhausted' }, exchange, instance())
  const { status, headers, body: content } = rejection
  return addedHeaders.length === 0
    ? rejection
    : { status, headers: [...headers, ...mergeHeaders(addedHeaders, headers)], body: content }
}
