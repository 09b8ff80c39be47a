/** Responses whose content has to be opened before their head can be said: streams by their first element, files by their state. */
import type { WriteContext } from './write-context.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'

/** What a response still needs when its content has to be opened before the head can be said. */
export type DeferredResponse = (
  head: Pick<EncodedResponse, 'status' | 'headers'>,
  exchange: Exchange,
) => Promise<EncodedResponse>

/** Writes a value as the content of a response, for who asks. */
export type WriteBody = (
  value: unknown,
  asking: WriteContext,
) => string | Uint8Array | DeferredResponse
