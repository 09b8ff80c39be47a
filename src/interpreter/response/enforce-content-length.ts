/**
 * Sends `Content-Length` for streams whose length the application knows.
 *
 * The client then sees how much data will follow. If the stream has fewer or more bytes, the connection is closed.
 */
import * as Headers from '../../http/headers.ts'
import type { DeferredResponse } from './write-body.ts'
import { isChunkSource } from '../chunks.ts'

/** Sets the length of a stream from the `Content-Length` header of a reply. Bodies of known length, such as files, are unchanged. */
export const enforceContentLength = (
  deferred: DeferredResponse,
  headers: Headers.Headers,
): DeferredResponse => {
  const length = contentLengthOf(headers)
  if (length === undefined) return deferred
  return async (head, exchange) => {
    const response = await deferred(head, exchange)
    const { body } = response
    if (!isChunkSource(body) || body.length !== undefined) return response
    const { free } = body
    return {
      ...response,
      body: {
        length,
        isFile: body.isFile,
        next: () => body.next(),
        close: () => body.close(),
        ...(free === undefined ? {} : { free: (chunk) => body.free?.(chunk) }),
      },
    }
  }
}

/** Returns the value of `Content-Length`; `undefined` if it is missing or not a number. */
const contentLengthOf = (headers: Headers.Headers): number | undefined => {
  const text = headers.length === 0 ? undefined : Headers.first(headers, 'content-length')
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
