/** Limits the memory of encoded responses. */
import type { Headers } from '../../http/headers.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { mergeHeaders } from './response-headers.ts'
import { isChunkSource } from '../chunks.ts'
import { encodeFailure } from '../errors/error-response.ts'

/** The members of the request state that {@link limitMemory} reads. */
interface RespondingState {
  readonly exchange: Exchange
  /** Headers that filters have added. */
  readonly addedHeaders: Headers
}

/**
 * Returns the response, or a 503 if the body memory of the server is exhausted. A problem document is small enough to be sent.
 *
 * The handler has already run, including the effects of an unsafe method. The alternative would be to run out of memory.
 */
export const limitMemory = (
  response: EncodedResponse,
  { exchange, addedHeaders }: RespondingState,
  instance: () => string,
): EncodedResponse => {
  if (exchange.hasRoomFor?.(response) !== false) return response
  if (isChunkSource(response.body)) response.body.close()
  const rejection = encodeFailure({ _tag: 'BodyMemoryExhausted' }, exchange, instance())
  const { status, headers, body } = rejection
  return addedHeaders.length === 0
    ? rejection
    : { status, headers: [...headers, ...mergeHeaders(addedHeaders, headers)], body }
}
