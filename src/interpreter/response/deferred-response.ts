/** Responses whose content has to be opened before their head can be said: streams by their first element, files by their state. */
import type { Asking } from './write-context.ts'
import type { Answer, Exchange } from '../exchange.ts'

/** What a response still needs when its content has to be opened before the head can be said. */
export type Opening = (
  head: Pick<Answer, 'status' | 'headers'>,
  exchange: Exchange,
) => Promise<Answer>

/** Writes a value as the content of a response, for who asks. */
export type Write = (value: unknown, asking: Asking) => string | Uint8Array | Opening
