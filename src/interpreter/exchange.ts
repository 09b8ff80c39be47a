/**
 * The interface between the engine and a runtime: one request and its response.
 *
 * Each runtime implements it (`node:http`, the in-memory server, a worker) and passes on only requests whose framing, target and
 * `Host` header are valid.
 */
import type { RequestFailure } from '../http/failure.ts'
import type { Headers } from '../http/headers.ts'
import type { BodyStream } from './request-body/body-stream.ts'
import type { ChunkSource } from './chunks.ts'
import { isChunkSource } from './chunks.ts'
import type { SizeLimit } from '../compiler/settings/size-limit.ts'
import type { MemoryReservation } from './request-body/memory-reservation.ts'
import type { Platform } from './platform.ts'

export interface Exchange {
  readonly method: string
  /** The path as received. It starts with `/`; percent-escapes are well-formed and not decoded. */
  readonly path: string
  /** The query as received, without `?`. */
  readonly query: string | undefined
  readonly headers: Headers
  /** Returns the scheme and authority by which the client reached the server: `http://example.com:8080`. */
  readonly origin: () => string
  /** Returns the path prefix that a proxy has removed from `path`: empty, or `/a/b`. */
  readonly prefix: () => string
  /**
   * Reads the whole body. May be called once, instead of `streamBody`.
   *
   * `then` is called with the bytes (none for a request without a body), or with a failure: the body exceeds `limit`, or the client
   * is too slow. It is not called after a disconnect.
   */
  readonly readBody: (limit: SizeLimit, then: (body: Uint8Array | RequestFailure) => void) => void
  /**
   * Returns the body as a stream, or a failure. May be called once, instead of `readBody`.
   *
   * With `Expect: 100-continue`, the client is asked for the body when the first chunk is requested. The stream rejects with an
   * `HttpError` if the body exceeds `limit` or the request is rejected meanwhile, and after a disconnect with an error that
   * `isDisconnect` recognizes. `return` discards the rest of the body and keeps the connection open.
   */
  readonly streamBody: (limit: SizeLimit) => BodyStream | RequestFailure
  /**
   * Returns a signal that aborts when the client disconnects, or half-closes its connection, before the response. After a half-close
   * a response can still be sent. The signal is created by the first call.
   */
  readonly signal: () => AbortSignal
  /** Returns the address of the client; `undefined` if there is no connection. */
  readonly clientAddress: () => string | undefined
  readonly platform: Platform
  /** Counts the bytes of its bodies that are in memory; `undefined` if they are not limited. */
  readonly reservation?: MemoryReservation | undefined
  /** Whether an encoded response fits into the body memory of the server. Without it, every response does. */
  readonly hasRoomFor?: (response: EncodedResponse) => boolean
  /**
   * Registers a callback for the end of the exchange: the response was sent, or the client has disconnected. After the end, it is
   * called at once.
   */
  readonly onEnd: (then: () => void) => void
  /**
   * Registers a callback for the end of response streams: as `onEnd`, and when the client half-closes. Without it, there are no
   * half-closes.
   */
  readonly onStreamEnd?: (then: () => void) => void
  /** Sends the response. Called once. The unread rest of the request body is discarded. */
  readonly send: (response: EncodedResponse) => void
}

/** A response as it is sent. The exchange adds the headers of the connection: `Date`, `Content-Length`, `Connection`. */
export interface EncodedResponse {
  readonly status: number
  readonly headers: Headers
  /** Also set for HEAD: the exchange uses its length and does not send it. */
  readonly body: string | Uint8Array | ChunkSource | undefined
}

/** Registers a callback for the end of the response streams of an exchange. */
export const onStreamEnd = (
  exchange: Pick<Exchange, 'onEnd' | 'onStreamEnd'>,
  then: () => void,
): void => {
  if (exchange.onStreamEnd === undefined) exchange.onEnd(then)
  else exchange.onStreamEnd(then)
}

/** Whether reading the body has failed. */
export const isFailure = (body: Uint8Array | BodyStream | RequestFailure): body is RequestFailure =>
  '_tag' in body

/** Returns the URL of the server, as seen by the client: the origin and the path prefix, without a trailing slash. */
export const serverUrl = (exchange: Pick<Exchange, 'origin' | 'prefix'>): string =>
  exchange.origin() + exchange.prefix()

/** Counts a body in memory until its response is sent, such as one whose digest is being computed. Chunks are not counted. */
export const keepUntilSent = (
  { body }: Pick<EncodedResponse, 'body'>,
  { reservation }: Pick<Exchange, 'reservation'>,
): void => {
  if (body !== undefined && !isChunkSource(body)) reservation?.keep(body.length)
}
