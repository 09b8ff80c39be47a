/**
 * Writes response bodies in chunks with back-pressure.
 *
 * The next chunk is requested when the connection has accepted the previous one. A response can write up to 16 KiB per turn
 * (iteration) of the event loop. Further chunks count against the server's turn budget, which limits the time that streams can use
 * in each turn. Without this limit, a fast client could block other requests if the source always has data available.
 */
import { Buffer } from 'node:buffer'
import type { ChunkSource } from '../../interpreter/exchange.ts'
import { afterSources, resetConnection } from '../connection/connection-end.ts'
import type { ServerResponse } from 'node:http'
import type { BodyMemory } from '../../interpreter/memory-reservation.ts'
import { TurnBudget } from '../../interpreter/event-loop.ts'

/** Number of bytes that a response can write in one turn of the event loop before the turn budget applies. */
const bytesPerTurn = 16 * 1024

/** Number of bytes counted for each chunk in addition to its length. */
const overhead = 64

/** Size, in bytes, above which a single chunk counts against the turn budget. The operating system copies 1 MB in about 0.3 ms. */
const largeChunk = 64 * 1024

/** Number of unsent bytes at which the source is paused. */
const highWaterMark = 4 * 1024

/** A response whose body is sent in chunks. */
export interface ChunkTarget {
  readonly destroyed: boolean
  /** Number of bytes that have been written but not sent. */
  readonly writableLength: number
  /** Writes a chunk. Returns `false` if further chunks must wait until the callback is called. */
  write(chunk: Uint8Array, callback: (error?: Error | null) => void): boolean
  /** Sends the head if it has not been sent together with a chunk. */
  flushHeaders(): void
}

/** Options for `sendChunks`. */
export interface SendOptions {
  /** Aborts the response in a way that the client can detect. Called if the source fails. */
  readonly abort: () => void
  /** Tracks the memory held by bytes that have not been sent yet. */
  readonly memory: Pick<BodyMemory, 'add' | 'release'>
  /** Ends the response. Called after the last chunk. */
  readonly end: () => void
  /** Calls `callback` when the response closes, or immediately if the response is already closed. */
  readonly onClose: (callback: () => void) => void
  /**
   * Calls `callback` when the client half-closes the connection. The body ends as soon as it waits for its source, or at once if
   * `endsAtOnce` is `true`. Default: a half-close has no effect.
   */
  readonly onHalfClose?: (callback: (endsAtOnce: boolean) => void) => void
  /** Ends the response before the last chunk. Called after a half-close. */
  readonly endEarly?: () => void
  /** The turn budget of the server. Default: a new turn budget. */
  readonly budget?: TurnBudget
}

type Result = IteratorResult<string | Uint8Array, unknown>

/**
 * Sends the chunks of a response body. If the source fails, the connection is aborted so that the client can detect the incomplete
 * body.
 */
export const sendChunks = (
  response: ChunkTarget,
  chunks: ChunkSource,
  options: SendOptions,
): void => {
  const { budget = new TurnBudget() } = options
  let isOpen = true
  /** Whether a chunk has been requested from the source, and has not arrived. */
  let isReading = false
  let reads = 0
  let isHalfClosed = false
  /** Number of bytes sent in the current turn of the event loop. */
  let sentInTurn = 0
  /** Number of bytes of this body that are currently counted in `options.memory`. */
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
  // the connection is aborted in a later turn, because chunks that have already been written are sent at the end of this turn
  const fail = (): void => {
    if (!isOpen) return
    close()
    setImmediate(options.abort)
  }
  const onTurn = (): void => {
    sentInTurn = 0
  }
  const endEarly = (): void => {
    if (!isOpen) return
    close()
    options.endEarly?.()
  }
  /** Ends the body unless its source delivers a chunk. */
  const endIfWaiting = (): void => {
    const current = reads
    afterSources(budget, () => {
      if (isReading && reads === current) endEarly()
    })
  }
  const request = (): void => {
    if (!isOpen) return
    isReading = true
    reads++
    chunks.next().then(receive).catch(fail)
    if (isHalfClosed) endIfWaiting()
  }
  const requestWithinBudget = (): void => {
    if (sentInTurn < bytesPerTurn || budget.canStart()) request()
    else budget.defer(request)
  }
  const receive = (result: Result): void | Promise<void> => {
    isReading = false
    return result.done !== true && result.value.length > largeChunk && !budget.hasTime()
      ? new Promise<void>((resolve) => budget.defer(resolve)).then(() => write(result))
      : write(result)
  }
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
    // other chunks are not kept, because the connection may have copied them
    const reusable = chunks.free === undefined ? undefined : bytes
    const hasRoom = response.write(bytes, (error) => {
      if (error !== undefined && error !== null) return
      if (reusable !== undefined) chunks.free?.(reusable)
      if (!isWaiting) return
      release()
      requestWithinBudget()
    })
    isWaiting = !hasRoom || response.writableLength >= highWaterMark
    if (isWaiting) hold(bytes.length)
    else requestWithinBudget()
  }
  options.onClose(close)
  options.onHalfClose?.((endsAtOnce) => {
    isHalfClosed = true
    if (endsAtOnce) endEarly()
    else endIfWaiting()
  })
  request()
  // the head does not wait for a slow source
  setImmediate(() => {
    if (isOpen) response.flushHeaders()
  })
}

/**
 * Aborts a connection in a way that the client can detect.
 *
 * The connection is reset if its end marks the end of the body, as is common in HTTP/1.0. An orderly close would then indicate a
 * complete body (RFC 9112, 6.3).
 */
export const cutConnection = (response: ServerResponse, { length }: ChunkSource): void => {
  const { socket } = response
  // after `end`, Node.js cannot reset a socket and would never close it
  if (length === undefined && !response.chunkedEncoding && socket?.writableEnded === false)
    resetConnection(socket)
  destroyInTurn(response)
}

/**
 * Destroys a response and its connection. If the response waits for earlier pipelined responses, the connection is destroyed after
 * them. Node.js 20 and 22 do the same in `destroy`, but Node.js 24 and 26 destroy only the response, and the connection would stay open.
 */
export const destroyInTurn = (response: ServerResponse): void => {
  if (response.socket === null) response.once('socket', (socket) => socket.destroy())
  response.destroy()
}
