/** Counts bodies in memory while their responses are made. */
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { isChunkSource } from '../chunks.ts'

/** Counts a body until the response is sent, such as one whose digest is computed. A body in chunks is not in memory. */
export const keepUntilSent = (
  { body: content }: Pick<EncodedResponse, 'body'>,
  { reservation }: Pick<Exchange, 'reservation'>,
): void => {
  if (content !== undefined && !isChunkSource(content)) reservation?.keep(content.length)
}
