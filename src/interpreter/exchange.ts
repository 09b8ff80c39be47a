/**
 * One request and the answer to it, as the engine sees them. The engine never meets the objects of a connection: whoever
 * receives requests (`node:http`, the in-memory door, a worker) implements this, and hands over only requests whose
 * framing, target and `Host` it has checked.
 */
import type { RequestFailure } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import type { BodyStream } from './request-body/body-stream.ts'
import type { ChunkSource } from './chunks.ts'
import type { SizeLimit } from '../compiler/settings/size-limit.ts'
import type { MemoryReservation } from './request-body/memory-reservation.ts'
import type { Platform } from './platform.ts'

export interface Exchange {
  readonly method: string
  /** The path as received: begins with `/`, escapes well-formed but not decoded. */
  readonly path: string
  /** What followed the first `?`, as received. */
  readonly query: string | undefined
  readonly headers: Headers
  /** Scheme and authority by which the client reached the server: `http://example.com:8080`. */
  readonly origin: () => string
  /** The path that a proxy has taken off in front of `path`: empty, or `/a/b`. */
  readonly prefix: () => string
  /**
   * Takes the whole content, once. `then` is called with its bytes, none for a request without content, or with the reason
   * why there are none: more bytes than `limit` allows, or a client that was too slow. It is not called when the client has gone.
   */
  readonly readBody: (
    limit: SizeLimit,
    then: (content: Uint8Array | RequestFailure) => void,
  ) => void
  /**
   * Takes the content as it comes, once, instead of as a whole, or says why there is none. The client is not asked to send
   * it before it is asked for. What is asked for rejects with an `HttpError` when more bytes come than `limit` allows or the
   * request is refused meanwhile, and with what `isDeparture` knows when the client has gone. Whoever stops asking may end
   * it with `return`; the connection outlives either.
   */
  readonly streamBody: (limit: SizeLimit) => BodyStream | RequestFailure
  /**
   * Aborts when the client disconnects or half-closes its connection before it was answered. After a half-close an answer may
   * still be sent. Made when it is asked for.
   */
  readonly signal: () => AbortSignal
  /** The address of the client, as far as it is known; `undefined` where there is no connection. */
  readonly clientAddress: () => string | undefined
  readonly platform: Platform
  /** Counts the bytes of its bodies that are in memory. `undefined` where they are not bounded. */
  readonly reservation?: MemoryReservation | undefined
  /** Whether an encoded response fits into the body memory of the server. Without it, every response does. */
  readonly hasRoomFor?: (answer: EncodedResponse) => boolean
  /** Has something done when the answer was handed over or the client has gone, at once when that has been. */
  readonly onEnd: (then: () => void) => void
  /**
   * Calls `then` when a stream has to end: as `onEnd`, and when the client half-closes its connection. An exchange without it
   * knows no half-close.
   */
  readonly onStreamEnd?: (then: () => void) => void
  /** Sends the one answer. Content not taken by then is discarded. */
  readonly send: (answer: EncodedResponse) => void
}

/** A response in bytes. The exchange adds what belongs to the connection: `Date`, `Content-Length`, `Connection`. */
export interface EncodedResponse {
  readonly status: number
  readonly headers: Headers
  /** For HEAD too: the exchange counts its bytes and does not send them. */
  readonly body: string | Uint8Array | ChunkSource | undefined
}

/** Calls `then` when a stream that answers an exchange has to end. */
export const onStreamEnd = (
  exchange: Pick<Exchange, 'onEnd' | 'onStreamEnd'>,
  then: () => void,
): void => {
  if (exchange.onStreamEnd === undefined) exchange.onEnd(then)
  else exchange.onStreamEnd(then)
}

/** Whether taking the content failed. */
export const isFailure = (
  content: Uint8Array | BodyStream | RequestFailure,
): content is RequestFailure => '_tag' in content
