/**
 * Tracks how many body bytes a server holds in memory, and enforces `fw.http.limits.max-buffered-size`.
 *
 * Each exchange counts the memory reserved for its request body, and the bytes of its response that have not been sent yet. A
 * response that the socket accepts immediately is not counted.
 */
import { getHeapStatistics } from 'node:v8'
import type { Logger } from '../compiler/settings/logger.ts'
import type { Percentage } from '../compiler/settings/setting.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { EncodedResponse } from '../interpreter/exchange.ts'
import { isChunkSource } from '../interpreter/exchange.ts'
import { BodyMemory, MemoryReservation } from '../interpreter/memory-reservation.ts'

/**
 * Time, in milliseconds, that must pass without a rejection before another rejection is logged. This interval prevents clients from
 * flooding the log.
 */
const logInterval = 60_000

/**
 * Converts the value of `fw.http.limits.max-buffered-size` to bytes. A percentage is relative to the V8 heap limit. That limit can
 * be set with `--max-old-space-size`. Returns `Infinity` if no limit is configured.
 */
export const resolveBufferedSize = (
  size: number | Percentage | undefined,
  heapLimit: () => number = () => getHeapStatistics().heap_size_limit,
): number =>
  typeof size === 'object' ? Math.floor((heapLimit() * size.percent) / 100) : (size ?? Infinity)

/** Creates the body memory of a server. A warning is logged when the server starts rejecting bodies. */
export const createBodyMemory = (
  settings: Settings,
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): BodyMemory => {
  let latestRejection = -Infinity
  const memory: BodyMemory = new BodyMemory(
    resolveBufferedSize(settings['fw.http.limits.max-buffered-size']),
    () => {
      const time = now()
      if (time - latestRejection > logInterval)
        logger.warn(
          { buffered: memory.used, limit: memory.limit },
          'Total size limit for buffered bodies reached, rejecting requests that need more memory',
        )
      latestRejection = time
    },
  )
  return memory
}

/**
 * Time, in milliseconds, for which the memory of a request body remains reserved after a disconnect. During this time, the handler
 * might still be using the body.
 */
const abandonedTimeout = 10_000

/** An exchange whose bodies occupy memory. */
export interface BufferingExchange {
  readonly method: string
  /** Whether the whole request has been received. */
  readonly isReceived: boolean
  /** Whether the head of the response has been sent. */
  readonly hasResponded: boolean
  /** Whether the next bytes of the response have to wait, for the responses to earlier requests or for the client. */
  readonly isQueued: boolean
  /** Discards the part of the request body that has been received so far. */
  discardBody(): void
  /** Calls `callback` when the response has been sent or the connection has closed. */
  onEnd(callback: () => void): void
}

/** The memory reserved for a request body. It is released after the response has been sent or the client has disconnected. */
export class RequestMemory extends MemoryReservation {
  #abandonedTimer: NodeJS.Timeout | undefined = undefined

  /**
   * Releases the memory after a disconnect. If the body has been received completely, a handler might still be using it. The memory
   * is then released when the handler responds, but no later than 10 s after the disconnect. The time limit prevents a handler that
   * never finishes from holding the memory forever.
   */
  onDisconnect(exchange: BufferingExchange): void {
    if (this.held === 0 || this.#abandonedTimer !== undefined) return
    if (exchange.hasResponded || !exchange.isReceived) {
      exchange.discardBody()
      return this.release()
    }
    this.#abandonedTimer = setTimeout(() => this.release(), abandonedTimeout).unref()
  }

  /**
   * Releases the memory of the exchange before a response is sent. If `inChunks` is `true`, only the memory reserved for the
   * request body is released at this point. The rest is released when the response closes.
   */
  onResponse(exchange: BufferingExchange, inChunks: boolean): void {
    clearTimeout(this.#abandonedTimer)
    exchange.discardBody()
    if (!inChunks) return this.release()
    this.endRequest()
    exchange.onEnd(() => this.release())
  }
}

/**
 * Maximum size, in bytes, of a response that is neither counted nor rejected. Replacing such a response with a problem document
 * would save no memory.
 */
export const uncountedBytes = 1024

/**
 * Number of bytes that a socket without unsent bytes accepts immediately. This is the smallest default size of a send buffer on
 * Linux.
 */
const minSendBuffer = 16 * 1024

/**
 * Whether a response fits into the body memory. `released` is the number of bytes that will be released before the response is
 * sent.
 *
 * A response larger than the free memory fits only if the socket accepts it immediately or if its size is at most 1 KiB. Streams
 * and files fit if any memory is free, because they are never entirely in memory. A response to HEAD always fits.
 */
export const fitsBodyMemory = (
  { body }: EncodedResponse,
  { method, isQueued }: BufferingExchange,
  memory: BodyMemory,
  released = 0,
): boolean => {
  if (body === undefined) return true
  const free = memory.free + released
  if (isChunkSource(body)) {
    if (free > 0 || method === 'HEAD') return true
  } else {
    // a UTF-16 code unit takes at most three bytes of UTF-8
    if ((typeof body === 'string' ? 3 * body.length : body.length) <= free) return true
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    const sentAtOnce = isQueued ? uncountedBytes : minSendBuffer
    if (length <= free || length <= sentAtOnce || method === 'HEAD') return true
  }
  memory.reject()
  return false
}

/** Adds `length` to the memory used by response bodies, and subtracts it when the response ends. Ignores responses of at most 1 KiB. */
export const countUntilSent = (
  length: number,
  exchange: BufferingExchange,
  memory: BodyMemory,
): void => {
  if (length <= uncountedBytes) return
  memory.add(length)
  exchange.onEnd(() => memory.release(length))
}
