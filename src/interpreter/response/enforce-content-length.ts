/**
 * Streams whose length a reply knows, though nobody who sends them does: `Content-Length` is kept, so that the client sees how
 * much there is to come. Exactly so many octets have to come: fewer or more cut the connection.
 */
import * as Headers from '../../http/headers.ts'
import type { DeferredResponse } from './deferred-response.ts'
import { isChunkSource } from '../chunks.ts'

/** The same content, with the length that the fields of its reply announce. Contents that know their own are left alone. */
export const enforceContentLength = (
  open: DeferredResponse,
  headers: Headers.Headers,
): DeferredResponse => {
  const length = lengthIn(headers)
  if (length === undefined) return open
  return async (head, exchange) => {
    const answer = await open(head, exchange)
    const { body: content } = answer
    if (!isChunkSource(content) || content.length !== undefined) return answer
    const { free } = content
    return {
      ...answer,
      body: {
        length,
        isFile: content.isFile,
        next: () => content.next(),
        close: () => content.close(),
        ...(free === undefined ? {} : { free: (piece) => content.free?.(piece) }),
      },
    }
  }
}

/** What is no number is not announced, as nothing is sent of the other fields that frame messages. */
const lengthIn = (headers: Headers.Headers): number | undefined => {
  const text = headers.length === 0 ? undefined : Headers.first(headers, 'content-length')
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
