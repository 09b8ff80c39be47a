/** Counts responses that stay in memory because clients do not read them. A response that the socket takes at once is not counted. */
import type { ServerResponse } from 'node:http'
import type { BodyMemory } from '../../interpreter/request-body/body-memory.ts'
import type { EncodedResponse } from '../../interpreter/exchange.ts'
import { isChunkSource } from '../../interpreter/chunks.ts'

/** The parts of an exchange that matter here. */
interface RespondingExchange {
  readonly method: string
  readonly response: ServerResponse
  /** Calls a function when the response is sent, or the connection is closed. */
  onEnd(then: () => void): void
}

/** Bytes up to which a response is neither counted nor rejected: a problem document would not be smaller. */
const uncountedBytes = 1024

/** Bytes that a socket without unsent bytes takes at once: the smallest send buffer of Linux. */
const minSendBuffer = 16 * 1024

/**
 * Whether the response fits into the body memory. `released` bytes are released before it is sent.
 *
 * Above the limit, only responses fit that a socket without unsent bytes takes at once. Streams and files hold only a part of their
 * bytes, so they fit up to the limit.
 */
export const fitsBodyMemory = (
  { body: content }: EncodedResponse,
  { method, response }: RespondingExchange,
  memory: BodyMemory,
  released = 0,
): boolean => {
  if (content === undefined) return true
  const free = memory.free + released
  if (isChunkSource(content)) {
    if (free > 0 || method === 'HEAD') return true
  } else {
    // a UTF-16 code unit takes at most three bytes of UTF-8
    if ((typeof content === 'string' ? 3 * content.length : content.length) <= free) return true
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content.length
    const isQueued = response.socket === null || response.writableLength > 0
    const sentAtOnce = isQueued ? uncountedBytes : minSendBuffer
    if (length <= free || length <= sentAtOnce || method === 'HEAD') return true
  }
  memory.reject()
  return false
}

/** Counts a response of `length` bytes until the socket has taken all of it. */
export const countUntilSent = (
  length: number,
  exchange: RespondingExchange,
  memory: BodyMemory,
): void => {
  if (length <= uncountedBytes) return
  memory.add(length)
  exchange.onEnd(() => memory.release(length))
}
