/** Counts bodies in memory while their responses are made. */
import type { Answer, Exchange } from '../exchange.ts'
import { isPieces } from '../chunks.ts'

/** Counts a body until the response is sent, such as one whose digest is computed. A body in chunks is not in memory. */
export const keepUntilSent = (
  { content }: Pick<Answer, 'content'>,
  { reservation }: Pick<Exchange, 'reservation'>,
): void => {
  if (content !== undefined && !isPieces(content)) reservation?.keep(content.length)
}
