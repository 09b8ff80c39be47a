/** What is sent of a body: whole, or in pieces that are asked for when they are sent. */
import type { ClientBody } from '../exchange.ts'

export type BodyContent = string | Uint8Array | Blob | OpenPieces

/** Opens what is sent in pieces. */
export type OpenPieces = () => AsyncIterable<Uint8Array>

/** As a request has it. */
export const clientBody = (content: BodyContent): ClientBody =>
  typeof content === 'function' ? { _tag: 'Pieces', open: content } : { _tag: 'Whole', content }
