/**
 * Implements what exchanges over HTTP/1.1 have in common: limits on bodies, memory reservations, the framing and the order of
 * responses, and half-closed connections. Subclasses read and write the messages.
 */
import type { Socket } from 'node:net'
import type { ClientCertificate } from '../../endpoint/context.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import * as Status from '../../http/status.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import { bodyTooLarge } from '../../compiler/settings/body-limit.ts'
import type {
  BodyStream,
  ChunkSource,
  EncodedResponse,
  Platform,
} from '../../interpreter/exchange.ts'
import { isChunkSource, isStreamed } from '../../interpreter/exchange.ts'
import { encodeRejection } from '../../interpreter/errors/error-response.ts'
import type { HalfCloseTarget } from '../connection/connection-end.ts'
import { HalfCloseState } from '../connection/connection-end.ts'
import type { InFlightRequest } from '../connection/in-flight-requests.ts'
import type { ReceivedExchange, ServerContext } from './received-exchange.ts'
import type { ConnectionInfo, ProxiedRequest } from '../proxies/trusted-proxies.ts'
import { originOf, peerAddressOf } from '../proxies/trusted-proxies.ts'
import type { RequestBodySource, RequestBuffer } from './request-body.ts'
import { RequestBodyStream, emptyBodyStream, emptyBody } from './request-body.ts'
import type { ReceivedHead, RequestHead } from './request-head.ts'
import type { BufferingExchange } from '../body-memory.ts'
import { RequestMemory, countUntilSent, fitsBodyMemory, uncountedBytes } from '../body-memory.ts'
import type { ChunkTarget } from './send-chunks.ts'
import { sendChunks } from './send-chunks.ts'

/** The server state shared by all exchanges over HTTP/1.1. */
export interface Http1Context extends ServerContext {
  /** Makes the server reject further requests on a connection. */
  readonly close: (socket: Socket) => void
}

/**
 * An exchange over a connection with HTTP/1.1.
 *
 * Because one exchange is created per request, its methods are defined on the prototype and rarely needed state is created on first
 * use.
 */
export abstract class Http1Exchange
  implements ReceivedExchange, InFlightRequest, BufferingExchange, HalfCloseTarget
{
  readonly method: string
  readonly headers: Headers
  readonly path: string
  readonly query: string | undefined
  readonly #authority: string | undefined
  /**
   * Whether the client is waiting for 100 (Continue). If the server does not send 100, the client might never send the body, and
   * the connection cannot be reused.
   */
  #awaitsContinue: boolean
  #bodyStream: RequestBodyStream | undefined = undefined
  #halfClose: HalfCloseState | undefined = undefined
  #requestMemory: RequestMemory | undefined = undefined
  readonly #buffer: RequestBuffer
  readonly #contentLength: number
  readonly #isChunked: boolean
  protected readonly server: Http1Context

  /**
   * `target` is the parsed request target, or the failure with which the request is rejected. `buffer` reads the body of the
   * request if it is read as a whole.
   */
  constructor(
    received: ReceivedHead,
    head: RequestHead,
    target: RequestTarget | RequestFailure,
    buffer: RequestBuffer,
    server: Http1Context,
  ) {
    const resource = target._tag === 'Resource' ? target : undefined
    this.method = received.method ?? ''
    this.headers = received.rawHeaders
    this.path = resource?.path ?? '*'
    this.query = resource?.query
    this.#authority = resource?.authority ?? head.host
    // `Expect` in an HTTP/1.0 request is ignored (RFC 9110, 10.1.1)
    this.#awaitsContinue = head.expects && received.httpVersion === '1.1'
    this.#buffer = buffer
    this.#contentLength = head.length
    this.#isChunked = head.coding !== undefined
    this.server = server
  }

  abstract readonly socket: Socket
  abstract readonly isReceived: boolean
  abstract readonly hasResponded: boolean
  abstract readonly isQueued: boolean
  abstract readonly isEnded: boolean
  abstract readonly isDestroyed: boolean
  abstract readonly isFinished: boolean
  abstract readonly isHalfClosed: boolean
  abstract onceEnded(callback: () => void): void
  abstract onEnd(callback: () => void): void
  abstract endEarly(): void

  /** The request as `trustedProxies` resolves it. The same object for each call. */
  protected abstract readonly proxied: ProxiedRequest
  /** The body of the request, for reading it as a stream. */
  protected abstract readonly bodySource: RequestBodySource
  /** Whether the client and the earlier course of the connection allow another request after this one. */
  protected abstract readonly keepsAlive: boolean
  /** Whether the last chunk of the response has been written. */
  protected abstract readonly isWritten: boolean
  /** Whether the response has started, but its next bytes have not been sent. */
  protected abstract readonly hasUnsent: boolean
  /** Where the chunks of the response are written. */
  protected abstract readonly chunkTarget: ChunkTarget
  /** Makes this response the last one on the connection. */
  protected abstract stopKeepAlive(): void
  /** Writes a 100 (Continue) response. */
  protected abstract writeContinue(): void
  /**
   * Starts the response. `length` is the length of the body in bytes, or `undefined` if it is unknown or must not be sent. `closes`
   * is `true` if the connection closes after the response.
   */
  protected abstract start(
    status: number,
    headers: Headers,
    length: number | undefined,
    closes: boolean,
  ): void
  /** Writes the last chunk, a Latin-1 string or bytes, and ends the response. */
  protected abstract end(lastChunk: string | Uint8Array | undefined): void
  /** Aborts a response with a body that is sent in chunks, in a way that the client can detect. */
  protected abstract cut(chunks: ChunkSource): void
  /** Aborts the connection. */
  protected abstract destroy(): void
  /** Discards the rest of the request after the response, and closes the connection with a delay. */
  protected abstract linger(): void

  get isAwaitingBody(): boolean {
    return this.#buffer.isAwaitingBody
  }

  get isSettled(): boolean {
    return (
      this.isReceived &&
      this.isFinished &&
      this.#halfClose === undefined &&
      (this.#requestMemory === undefined || this.#requestMemory.held === 0)
    )
  }

  discardBody(): void {
    this.#buffer.discardBody()
  }

  origin(): string {
    return this.#forwarded()?.origin ?? originOf(this.socket, this.#authority)
  }

  prefix(): string {
    return this.#forwarded()?.prefix ?? ''
  }

  clientAddress(): string | undefined {
    return this.#forwarded()?.address ?? peerAddressOf(this.socket)
  }

  clientCertificate(): ClientCertificate | undefined {
    return this.server.clientCertificate?.(this.socket)
  }

  #forwarded(): ConnectionInfo | undefined {
    return this.server.proxies?.(this.proxied, this.#authority)
  }

  signal(): AbortSignal {
    return this.#halfCloseState().signal
  }

  onStreamEnd(callback: () => void): void {
    this.#halfCloseState().onStreamEnd(callback)
  }

  #halfCloseState(): HalfCloseState {
    return (this.#halfClose ??= new HalfCloseState(this))
  }

  readBody(limit: SizeLimit, callback: (body: Uint8Array | RequestFailure) => void): void {
    if (this.#contentLength > limit.bytes) return callback(bodyTooLarge(limit))
    if (!this.#hasBody()) {
      this.#continue()
      return callback(emptyBody)
    }
    const memory = (this.#requestMemory ??= new RequestMemory(this.server.memory))
    if (!memory.admit(limit.bytes, this.#isChunked ? undefined : this.#contentLength))
      return callback(memory.rejected())
    this.#continue()
    this.#buffer.readBody(limit, memory, callback)
  }

  streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    if (this.#contentLength > limit.bytes) return bodyTooLarge(limit)
    const onStart = (): void => this.#continue()
    // if a request has no body, its stream may never end
    if (!this.#hasBody()) return emptyBodyStream(onStart)
    const { reservation } = this
    if (reservation.isFull) return reservation.rejected()
    this.#bodyStream = new RequestBodyStream(this.bodySource, limit, onStart, reservation)
    return this.#bodyStream
  }

  /** The memory reservation of the request, created on first use. */
  get reservation(): RequestMemory {
    if (this.#requestMemory !== undefined) return this.#requestMemory
    const memory = new RequestMemory(this.server.memory)
    this.#requestMemory = memory
    this.onEnd(() => this.onDisconnect())
    return memory
  }

  onDisconnect(): void {
    this.#requestMemory?.onDisconnect(this)
  }

  onNextRequest(): void {
    if (this.#requestMemory !== undefined && this.#requestMemory.held > 0)
      this.onEnd(() => this.onDisconnect())
  }

  hasRoomFor(response: EncodedResponse): boolean {
    const { body } = response
    if (body === undefined || (typeof body === 'string' && 3 * body.length <= uncountedBytes))
      return true
    // the memory reserved for the request is released before the response is sent
    return fitsBodyMemory(response, this, this.server.memory, this.#requestMemory?.held)
  }

  get platform(): Platform {
    return this.server.platform
  }

  send(response: EncodedResponse): void {
    this.#send(response, this.server.shutdown.isClosing)
    this.server.loopMonitor?.record(this)
  }

  reject(failure: RequestFailure): void {
    this.onBodyFailed(failure)
    this.linger()
    this.#send(encodeRejection(failure, this, this.server.rejectionHeaders), true)
  }

  onHalfClose(isLast: boolean): void {
    // sends `Connection: close`, unless the head of the response has already been sent
    if (isLast) this.stopKeepAlive()
    this.#halfClose?.onHalfClose()
  }

  expire(): void {
    if (!this.isWritten && this.#halfClose?.isSendingFile !== true) this.destroy()
  }

  onBodyFailed(failure: RequestFailure): void {
    this.#bodyStream?.discard(failure)
  }

  /** Sends 100 (Continue) if the client is waiting for it and the response has not started. */
  #continue(): void {
    if (this.#awaitsContinue && !this.hasResponded) this.writeContinue()
    this.#awaitsContinue = false
  }

  /**
   * Sends a response. A body that is available as a whole is written together with the head. The response is discarded if another
   * response has been sent or the client has disconnected.
   */
  #send({ status, headers, body: entity }: EncodedResponse, isClosing: boolean): void {
    const body = typeof entity === 'string' ? encodeText(entity) : entity
    this.#requestMemory?.onResponse(this, isChunkSource(body))
    if (this.hasResponded || this.isDestroyed) {
      if (isChunkSource(body)) body.close()
      return
    }
    const isBodiless = this.method === 'HEAD' || !Status.allowsBody(status)
    if (
      !isBodiless &&
      isStreamed(body) &&
      this.isHalfClosed &&
      this.#halfClose?.hasSource !== true
    ) {
      // no stream starts after a half-close
      body.close()
      this.destroy()
      return
    }
    const closes = isClosing || !this.keepsAlive || this.#awaitsContinue || this.#hasTooMuchUnread()
    const length = body === undefined || !Status.allowsBody(status) ? 0 : body.length
    const isUnframed = status === 204 || status === 304
    this.start(status, headers, isUnframed ? undefined : length, closes)
    if (isChunkSource(body)) this.#sendChunks(body, isBodiless, closes)
    else {
      this.#end(isBodiless ? undefined : body, closes)
      const sent = isBodiless ? 0 : (length ?? 0)
      if (sent > uncountedBytes && this.hasUnsent) countUntilSent(sent, this, this.server.memory)
    }
  }

  #sendChunks(chunks: ChunkSource, isBodiless: boolean, closes: boolean): void {
    if (isBodiless) {
      chunks.close()
      return this.#end(undefined, closes)
    }
    const state = this.#halfCloseState()
    state.isSendingFile = !isStreamed(chunks)
    sendChunks(this.chunkTarget, chunks, {
      abort: () => this.cut(chunks),
      end: () => this.#end(undefined, closes),
      endEarly: () => this.endEarly(),
      onClose: (callback) => this.onEnd(callback),
      onHalfClose: (callback) => {
        if (!state.isSendingFile) state.onSending(callback)
      },
      budget: this.platform.turnBudget,
      memory: this.server.memory,
    })
  }

  #end(lastChunk: string | Uint8Array | undefined, closes: boolean): void {
    this.#bodyStream?.discard(undefined)
    if (closes && this.#isUnread()) this.linger()
    this.end(lastChunk)
  }

  #hasBody(): boolean {
    return this.#isChunked || this.#contentLength > 0
  }

  /** Whether part of the request body has not arrived yet. */
  #isUnread(): boolean {
    return this.#hasBody() && !this.isReceived
  }

  /**
   * Whether the unread part of the request body is, or might be, too large to be read and discarded. If so, the connection is
   * closed after the response.
   */
  #hasTooMuchUnread(): boolean {
    return (
      this.#isUnread() && (this.#isChunked || this.#contentLength > this.server.maxDiscardedBytes)
    )
  }
}

/** Length, in UTF-16 code units, above which a text is converted to bytes in any case. */
const maxStringLength = 16 * 1024

/**
 * Converts a text to UTF-8 bytes, except for a short ASCII string, which is written with the encoding `latin1`.
 *
 * Node.js writes the head in the encoding of a string body, and header values use `latin1`. Writing an ASCII string in this encoding
 * takes up to a sixth less CPU time. A long string is converted without counting its bytes before: for a JSON body of 158 KB, this takes
 * 260 µs instead of 290 µs if the string contains non-ASCII characters, and 230 µs instead of 340 µs otherwise.
 */
const encodeText = (text: string): string | Uint8Array =>
  text.length > maxStringLength || Buffer.byteLength(text) !== text.length
    ? Buffer.from(text)
    : text
