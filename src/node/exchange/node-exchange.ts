/** Implements exchanges with `node:http`. An exchange is a received request together with its response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClientCertificate } from '../../endpoint/context.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import type { EncodedResponse } from '../../interpreter/exchange.ts'
import type { BodyStream, ChunkSource } from '../../interpreter/chunks.ts'
import { isChunkSource, isStreamed } from '../../interpreter/chunks.ts'
import { encodeFailure } from '../../interpreter/errors/error-response.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import type { Platform } from '../../interpreter/platform.ts'
import { bodyTooLarge } from '../../compiler/settings/body-limit.ts'
import type { InFlightRequest } from '../connection/in-flight-requests.ts'
import { lingerAfterResponse, onResponseClose } from '../connection/lingering-close.ts'
import type { ReceivedExchange, ServerContext } from '../listener/server-core.ts'
import type { ConnectionInfo } from '../proxies/trusted-proxies.ts'
import { originOf, peerAddressOf } from '../proxies/trusted-proxies.ts'
import { RequestBodyStream, emptyBodyStream } from './body-stream.ts'
import { emptyBody } from './incoming-request.ts'
import { HalfCloseState } from '../connection/half-close.ts'
import type { RequestBuffer } from './incoming-request.ts'
import type { RequestHead } from './request-head.ts'
import type { BufferingExchange } from './response-memory.ts'
import { RequestMemory, countUntilSent, fitsBodyMemory, uncountedBytes } from './response-memory.ts'
import type { ChunkTarget } from './send-chunks.ts'
import { writeHeadSeparately } from './separate-headers.ts'
import {
  bodyLength,
  cutConnection,
  encodeLongText,
  latin1Chunk,
  sendChunks,
} from './send-chunks.ts'
import * as Problem from '../../http/problem.ts'
import * as Status from '../../http/status.ts'

/** The server state shared by all exchanges over HTTP/1.1. */
export interface Http1Context extends ServerContext {
  /** Makes the server reject further requests on a connection. */
  readonly close: (socket: IncomingMessage['socket']) => void
}

/**
 * An exchange over a `node:http` connection.
 *
 * Because one exchange is created per request, its methods are defined on the prototype and rarely needed state is created on first
 * use.
 */
export class NodeExchange implements ReceivedExchange, InFlightRequest, BufferingExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
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
  readonly #server: Http1Context

  /**
   * `target` is the parsed request target, or the failure with which the request is rejected. `buffer` reads the body of the
   * request if it is read as a whole.
   */
  constructor(
    request: IncomingMessage,
    buffer: RequestBuffer,
    response: ServerResponse,
    head: RequestHead,
    target: RequestTarget | RequestFailure,
    server: Http1Context,
  ) {
    const resource = target._tag === 'Resource' ? target : undefined
    this.request = request
    this.#buffer = buffer
    this.response = response
    this.method = request.method ?? ''
    this.headers = request.rawHeaders
    this.path = resource?.path ?? '*'
    this.query = resource?.query
    this.#authority = resource?.authority ?? head.host
    // `Expect` in an HTTP/1.0 request is ignored (RFC 9110, 10.1.1)
    this.#awaitsContinue = head.expects && request.httpVersion === '1.1'
    this.#contentLength = head.length
    this.#isChunked = head.coding !== undefined
    this.#server = server
  }

  get isReceived(): boolean {
    return this.request.complete
  }

  get isAwaitingBody(): boolean {
    return this.#buffer.isAwaitingBody
  }

  get hasResponded(): boolean {
    return this.response.headersSent
  }

  get isQueued(): boolean {
    return this.response.socket === null || this.response.writableLength > 0
  }

  get isEnded(): boolean {
    return this.response.closed
  }

  onceEnded(callback: () => void): void {
    this.response.once('close', callback)
  }

  discardBody(): void {
    this.#buffer.discardBody()
  }

  origin(): string {
    return this.#forwarded?.origin ?? originOf(this.request.socket, this.#authority)
  }

  prefix(): string {
    return this.#forwarded?.prefix ?? ''
  }

  clientAddress(): string | undefined {
    return this.#forwarded?.address ?? peerAddressOf(this.request.socket)
  }

  clientCertificate(): ClientCertificate | undefined {
    return this.#server.clientCertificate?.(this.request.socket)
  }

  get #forwarded(): ConnectionInfo | undefined {
    return this.#server.proxies?.(this.request, this.#authority)
  }

  signal(): AbortSignal {
    return this.#halfCloseState.signal
  }

  onEnd(callback: () => void): void {
    onResponseClose(this.request, this.response, callback)
  }

  onStreamEnd(callback: () => void): void {
    this.#halfCloseState.onStreamEnd(callback)
  }

  get #halfCloseState(): HalfCloseState {
    return (this.#halfClose ??= new HalfCloseState(this.request, this.response))
  }

  readBody(limit: SizeLimit, callback: (body: Uint8Array | RequestFailure) => void): void {
    if (this.#contentLength > limit.bytes) return callback(bodyTooLarge(limit))
    if (!this.#hasBody) {
      this.#continue()
      return callback(emptyBody)
    }
    const memory = (this.#requestMemory ??= new RequestMemory(this.#server.memory))
    if (!memory.admit(limit.bytes, this.#isChunked ? undefined : this.#contentLength))
      return callback(memory.rejected())
    this.#continue()
    this.#buffer.readBody(limit, memory, callback)
  }

  streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    if (this.#contentLength > limit.bytes) return bodyTooLarge(limit)
    const onStart = (): void => this.#continue()
    // if a request has no body, its stream may never end
    if (!this.#hasBody) return emptyBodyStream(onStart)
    const { reservation } = this
    if (reservation.isFull) return reservation.rejected()
    this.#bodyStream = new RequestBodyStream(this.request, limit, onStart, reservation)
    return this.#bodyStream
  }

  /** The memory reservation of the request, created on first use. */
  get reservation(): RequestMemory {
    if (this.#requestMemory !== undefined) return this.#requestMemory
    const memory = new RequestMemory(this.#server.memory)
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
    return fitsBodyMemory(response, this, this.#server.memory, this.#requestMemory?.held)
  }

  get platform(): Platform {
    return this.#server.platform
  }

  send(response: EncodedResponse): void {
    this.#send(response, this.#server.shutdown.isClosing)
    this.#server.loopMonitor?.record(this)
  }

  reject(failure: RequestFailure): void {
    this.onBodyFailed(failure)
    this.#linger()
    this.#send(encodeFailure(failure, this, Problem.newInstanceUri()), true)
  }

  onHalfClose(isLast: boolean): void {
    // sends `Connection: close`, unless the head of the response has already been sent
    if (isLast) this.response.shouldKeepAlive = false
    this.#halfClose?.onHalfClose()
  }

  expire(): void {
    const { response } = this
    if (!response.writableEnded && this.#halfClose?.sending !== 'file') response.destroy()
  }

  onBodyFailed(failure: RequestFailure): void {
    this.#bodyStream?.discard(failure)
  }

  /** Sends 100 (Continue) if the client is waiting for it and the response has not started. */
  #continue(): void {
    if (this.#awaitsContinue && !this.response.headersSent) this.response.writeContinue()
    this.#awaitsContinue = false
  }

  /**
   * Sends a response. A body that is available as a whole is written together with the head. The response is discarded if another
   * response has been sent or the client has disconnected.
   */
  #send({ status, headers, body: entity }: EncodedResponse, isClosing: boolean): void {
    const { request, response } = this
    const body = encodeLongText(entity)
    this.#requestMemory?.onResponse(this, isChunkSource(body))
    if (response.headersSent || response.destroyed) {
      if (isChunkSource(body)) body.close()
      return
    }
    const isBodiless = this.method === 'HEAD' || !Status.allowsBody(status)
    if (request.socket.readableEnded && !isBodiless && isStreamed(body)) {
      // no streams are sent after a half-close
      body.close()
      response.destroy()
      return
    }
    const closes = isClosing || !response.shouldKeepAlive || this.#hasTooMuchUnread
    const length = Status.allowsBody(status) ? bodyLength(body) : 0
    const hasLength = length !== undefined && status !== 204 && status !== 304
    // in HTTP/1.0, a body without a length ends when the connection closes
    const connectionHeaders = closes
      ? closeHeaders
      : hasLength || response.useChunkedEncodingByDefault
        ? this.#server.keepAliveHeaders
        : noHeaders
    this.writeHead(
      status,
      hasLength
        ? [...headers, 'Content-Length', String(length), ...connectionHeaders]
        : [...headers, ...connectionHeaders],
    )
    if (isChunkSource(body)) this.#sendChunks(body, isBodiless, closes)
    else {
      this.#end(isBodiless ? undefined : latin1Chunk(body, length ?? 0), closes)
      if (response.writableLength > 0 && !isBodiless)
        countUntilSent(length ?? 0, this, this.#server.memory)
    }
  }

  /** Writes the head of the response. */
  protected writeHead(status: number, headers: string[]): void {
    const { response } = this
    if (response.getHeaderNames().length > 0) writeHeadSeparately(response, status, headers)
    else response.writeHead(status, Status.reasonPhrase(status), headers)
  }

  /** Where the chunks of the response are written. */
  protected get chunkTarget(): ChunkTarget {
    return this.response
  }

  #sendChunks(chunks: ChunkSource, isBodiless: boolean, closes: boolean): void {
    if (isBodiless) {
      chunks.close()
      return this.#end(undefined, closes)
    }
    const state = this.#halfCloseState
    state.sending = isStreamed(chunks) ? 'stream' : 'file'
    sendChunks(this.chunkTarget, chunks, {
      abort: () => cutConnection(this.response, chunks),
      end: () => {
        if (state.sending === 'stream') state.sending = undefined
        this.#end(undefined, closes)
      },
      onClose: (callback) => {
        if (state.sending === 'stream') state.onStreamEnd(callback)
        else this.onEnd(callback)
      },
      budget: this.platform.turnBudget,
      memory: this.#server.memory,
    })
  }

  #end(lastChunk: string | Uint8Array | undefined, closes: boolean): void {
    this.#bodyStream?.discard(undefined)
    if (closes && this.#isUnread) this.#linger()
    this.response.end(lastChunk, 'latin1')
  }

  /** Makes the current response the last one on the connection. The rest of the request is then read and discarded. */
  #linger(): void {
    this.#server.close(this.request.socket)
    lingerAfterResponse(this.request)
  }

  get #hasBody(): boolean {
    return this.#isChunked || this.#contentLength > 0
  }

  /** Whether part of the request body has not arrived yet. */
  get #isUnread(): boolean {
    return !this.request.complete && this.#hasBody
  }

  /**
   * Whether the unread part of the request body is, or might be, too large to be read and discarded. If so, the connection is
   * closed after the response.
   */
  get #hasTooMuchUnread(): boolean {
    return (
      this.#isUnread &&
      (this.#awaitsContinue ||
        this.#isChunked ||
        this.#contentLength > this.#server.maxDiscardedBytes)
    )
  }
}

const noHeaders: Headers = []

const closeHeaders: Headers = ['Connection', 'close']
