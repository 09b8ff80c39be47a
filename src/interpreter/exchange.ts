/**
 * The interface between the interpreter and a runtime. An exchange is one request and its response.
 *
 * Each runtime (`node:http`, the in-memory server, a worker) implements {@link Exchange}. A runtime passes on only requests whose
 * framing, target and `Host` header are valid.
 */
import type { ClientCertificate } from '../endpoint/context.ts'
import type { RequestFailure } from '../http/failure.ts'
import type { Headers, RequestHeaders } from '../http/headers.ts'
import type { BodyStream, ChunkSource } from './chunks.ts'
import { isChunkSource } from './chunks.ts'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import type { MemoryReservation } from './memory-reservation.ts'
import type { Platform } from './platform.ts'

/** One request and its response. */
export interface Exchange {
  readonly method: string
  /** The path as received, starting with `/`. Percent-escapes are well-formed and are not decoded. */
  readonly path: string
  /** The query as received, without the leading `?`. */
  readonly query: string | undefined
  readonly headers: RequestHeaders
  /** Returns the scheme and authority that the client used to reach the server, for example, `http://example.com:8080`. */
  readonly origin: () => string
  /**
   * Returns the path prefix removed by a reverse proxy, for example, `/a/b`. Returns an empty string if no prefix was removed.
   */
  readonly prefix: () => string
  /**
   * Reads the entire body. Only one of `readBody` and `streamBody` may be called for a request, and only once.
   *
   * Calls `then` with the bytes of the body, or with an empty array if the request has no body. If the body exceeds `limit` or
   * the client is too slow, `then` is called with a failure. If the client disconnects, `then` is not called.
   */
  readonly readBody: (limit: SizeLimit, then: (body: Uint8Array | RequestFailure) => void) => void
  /**
   * Returns the body as a stream, or a failure. Only one of `readBody` and `streamBody` may be called for a request, and only
   * once.
   *
   * If the request has `Expect: 100-continue`, a 100 response is sent when the first chunk is requested. The stream rejects with
   * an `HttpError` if the body exceeds `limit`, or if the runtime rejects the request while the stream is being read. After a
   * disconnect, the stream rejects with an error that `isDisconnect` recognizes. The `return` method of the stream discards the
   * rest of the body but keeps the connection open.
   */
  readonly streamBody: (limit: SizeLimit) => BodyStream | RequestFailure
  /**
   * Returns a signal that aborts if the client disconnects or half-closes the connection before the response has been sent. After
   * a half-close, the client can still receive a response. The signal is created on the first call.
   */
  readonly signal: () => AbortSignal
  /** Returns the client's address, or `undefined` if the exchange has no network connection. */
  readonly clientAddress: () => string | undefined
  /** The value that the application passed with the request, for runtimes that are called with one. */
  readonly runtimeValue?: unknown
  /**
   * Returns the verified certificate that the client presented during the TLS handshake, or `undefined`. Runtimes that do not
   * support client certificates omit this method.
   */
  readonly clientCertificate?: () => ClientCertificate | undefined
  readonly platform: Platform
  /** Tracks the memory used by the request body and the response body. `undefined` if the server does not limit body memory. */
  readonly reservation?: MemoryReservation | undefined
  /**
   * Returns whether the server has enough free memory for the body of an encoded response. If this method is omitted, memory
   * use is not limited.
   */
  readonly hasRoomFor?: (response: EncodedResponse) => boolean
  /**
   * Registers a callback that is called when the response has been sent or the client has disconnected. If the exchange has
   * already ended, the callback is called immediately.
   */
  readonly onEnd: (then: () => void) => void
  /**
   * Registers a callback that is called when response streams must end: at the end of the exchange, or when the client
   * half-closes the connection. Runtimes that do not support half-closed connections omit this method.
   */
  readonly onStreamEnd?: (then: () => void) => void
  /** Sends the response. Must be called only once. Unread bytes of the request body are discarded. */
  readonly send: (response: EncodedResponse) => void
}

/** A response that is ready to be sent. The exchange adds the `Date`, `Content-Length` and `Connection` headers. */
export interface EncodedResponse {
  readonly status: number
  readonly headers: Headers
  /** The body. In a response to HEAD, the exchange uses only the length of the body and does not send the body. */
  readonly body: string | Uint8Array | ChunkSource | undefined
  /**
   * The headers and the size of the 200 response that is replaced by a response with status 304 or 412. `undefined` if they are
   * unknown, because the handler has not run.
   */
  readonly replaced?: { readonly headers: Headers; readonly size: number }
}

/** Registers a callback with `exchange.onStreamEnd`, or with `exchange.onEnd` if the exchange has no such method. */
export const onStreamEnd = (
  exchange: Pick<Exchange, 'onEnd' | 'onStreamEnd'>,
  then: () => void,
): void => {
  if (exchange.onStreamEnd === undefined) exchange.onEnd(then)
  else exchange.onStreamEnd(then)
}

/** Whether the result of reading a body is a failure. */
export const isFailure = (body: Uint8Array | BodyStream | RequestFailure): body is RequestFailure =>
  '_tag' in body

/** Returns the URL of the server, as seen by the client: the origin and the path prefix, without a trailing slash. */
export const serverUrl = (exchange: Pick<Exchange, 'origin' | 'prefix'>): string =>
  exchange.origin() + exchange.prefix()

/**
 * Counts a buffered response body against the body memory limit until the response has been sent. Called before a step that takes
 * time, such as computing a digest of the body. Bodies that are sent in chunks are not counted.
 */
export const keepUntilSent = (
  { body }: Pick<EncodedResponse, 'body'>,
  { reservation }: Pick<Exchange, 'reservation'>,
): void => {
  if (body !== undefined && !isChunkSource(body)) reservation?.keep(body.length)
}
