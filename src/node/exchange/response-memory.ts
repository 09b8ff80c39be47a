/**
 * Responses that are in memory because their clients do not read them. A response that the socket takes at once is not counted:
 * it has left the process.
 */
import type { ServerResponse } from 'node:http'
import type { BodyMemory } from '../../interpreter/request-body/body-memory.ts'
import type { Answer } from '../../interpreter/exchange.ts'
import { isPieces } from '../../interpreter/chunks.ts'

/** What is known of the exchange that is responded to. */
interface Responding {
  readonly method: string
  readonly response: ServerResponse
  /** Calls a function when the response is sent, or the connection is closed. */
  onEnd(then: () => void): void
}

/** Bytes of a response that is never counted or rejected: a problem document would not be smaller. */
const uncounted = 1024

/** Bytes that a socket without unsent bytes takes at once: the smallest send buffer of Linux. */
const takenAtOnce = 16 * 1024

/**
 * Whether a response may be sent. Above the limit, only responses may that will not wait: those that are small enough for a
 * socket without unsent bytes. Streams and files hold only a part of their bytes, so they fit up to the limit. `released` bytes
 * are given back before the response is sent.
 */
export const fitsBodyMemory = (
  { content }: Answer,
  { method, response }: Responding,
  memory: BodyMemory,
  released = 0,
): boolean => {
  if (content === undefined) return true
  const free = memory.free + released
  if (isPieces(content)) {
    if (free > 0 || method === 'HEAD') return true
  } else {
    // up to three bytes of UTF-8 for each character
    if ((typeof content === 'string' ? 3 * content.length : content.length) <= free) return true
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content.length
    const isWaiting = response.socket === null || response.writableLength > 0
    if (length <= free || length <= (isWaiting ? uncounted : takenAtOnce) || method === 'HEAD')
      return true
  }
  memory.reject()
  return false
}

/** Counts the `length` bytes of a response that the socket has not taken, until it has. */
export const countUntilSent = (
  length: number,
  responding: Responding,
  memory: BodyMemory,
): void => {
  if (length <= uncounted) return
  memory.add(length)
  responding.onEnd(() => memory.release(length))
}
