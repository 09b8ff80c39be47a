/**
 * Sends a response body in chunks, with back-pressure: the next chunk is requested once the connection has taken the previous one.
 *
 * After 16 KiB in one turn of the event loop, chunks count against the turn budget of the server. Otherwise a source that never
 * waits, read by a fast client, would block other requests.
 */
import type { ServerResponse } from 'node:http'
import type { BodyMemory } from '../../interpreter/request-body/body-memory.ts'
import type { ChunkSource } from '../../interpreter/chunks.ts'
import { TurnBudget } from '../../interpreter/response/stream/turn-budget.ts'

/** Bytes that a response may send per turn of the event loop before the turn budget applies. */
const bytesPerTurn = 16 * 1024

/** Bytes that each chunk counts in addition to its own. */
const overhead = 64

/** Bytes from which a single write counts against the turn budget: the system copies 1 MB in about 0.3 ms. */
const largeChunk = 64 * 1024

/** Unsent bytes at which the next chunk is not requested yet. With another full chunk, they are less than 64 KiB. */
const highWaterMark = 4 * 1024

export interface SendOptions {
  /** Counts chunks that the client has not read yet. */
  readonly memory: Pick<BodyMemory, 'add' | 'release'>
  /** Ends the response after the last chunk. */
  readonly end: () => void
  /** Calls a function when the response closes; at once if it is closed. */
  readonly onClose: (then: () => void) => void
  /** The turn budget of the server. Default: a new one. */
  readonly budget?: TurnBudget
}

type Result = IteratorResult<string | Uint8Array, unknown>

/** Sends all chunks after the head. If the source fails, the connection is cut, so that the client notices the incomplete body. */
export const sendChunks = (
  response: ServerResponse,
  chunks: ChunkSource,
  options: SendOptions,
): void => {
  const { budget = new TurnBudget() } = options
  let isOpen = true
  /** Bytes sent in this turn of the event loop. */
  let sentInTurn = 0
  /** Bytes counted as body memory until the client has read them. */
  let held = 0
  const hold = (bytes: number): void => {
    held = bytes
    options.memory.add(held)
  }
  const release = (): void => {
    options.memory.release(held)
    held = 0
  }
  const close = (): void => {
    release()
    if (!isOpen) return
    isOpen = false
    chunks.close()
  }
  // chunks that are already written are sent at the end of this turn
  const fail = (): void => {
    if (!isOpen) return
    close()
    setImmediate(() => cutConnection(response, chunks))
  }
  const onTurn = (): void => {
    sentInTurn = 0
  }
  const request = (): void => {
    if (isOpen) chunks.next().then(receive).catch(fail)
  }
  const requestWithinBudget = (): void => {
    if (sentInTurn < bytesPerTurn || budget.canBegin()) request()
    else budget.defer(request)
  }
  const receive = (result: Result): void | Promise<void> =>
    result.done !== true && result.value.length > largeChunk && !budget.hasTime()
      ? new Promise<void>((resolve) => budget.defer(resolve)).then(() => write(result))
      : write(result)
  const write = ({ done, value }: Result): void => {
    if (response.destroyed) close()
    if (!isOpen) return
    if (done === true) {
      close()
      return options.end()
    }
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    if (sentInTurn === 0) setImmediate(onTurn)
    sentInTurn += bytes.length + overhead
    if (bytes.length === 0) return requestWithinBudget()
    let isWaiting = false
    const hasRoom = response.write(bytes, (error) => {
      if (error instanceof Error) return
      chunks.free?.(bytes)
      if (!isWaiting) return
      release()
      requestWithinBudget()
    })
    isWaiting = !hasRoom || response.writableLength >= highWaterMark
    if (isWaiting) hold(bytes.length)
    else requestWithinBudget()
  }
  options.onClose(close)
  request()
  // the head does not wait for a slow source
  setImmediate(() => {
    if (isOpen) response.flushHeaders()
  })
}

/**
 * Cuts a connection in a way that the client notices.
 *
 * If only the end of the connection ends the body, as in HTTP/1.0, an orderly close would look like a complete body (RFC 9112, 6.3).
 * The connection is then reset.
 */
const cutConnection = (response: ServerResponse, { length }: ChunkSource): void => {
  const { socket } = response
  // Node.js cannot reset a socket after `end`, and would never close it
  if (length === undefined && !response.chunkedEncoding && socket?.writableEnded === false)
    socket.resetAndDestroy()
  response.destroy()
}
