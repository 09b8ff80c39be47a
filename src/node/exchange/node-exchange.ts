/** The exchange over `node:http`: a received request and the response to it. */
import type { ServerResponse } from 'node:http'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import type { BodyMemory } from '../../interpreter/request-body/body-memory.ts'
import type { EncodedResponse, Exchange } from '../../interpreter/exchange.ts'
import type { BodyStream } from '../../interpreter/request-body/body-stream.ts'
import type { ChunkSource } from '../../interpreter/chunks.ts'
import { isChunkSource, isStreamed } from '../../interpreter/chunks.ts'
import { encodeFailure } from '../../interpreter/errors/error-response.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import type { Platform } from '../../interpreter/platform.ts'
import { bodyTooLarge } from '../../compiler/settings/size-limit.ts'
import type { InFlightRequest } from '../connection/in-flight-requests.ts'
import { lingerAfterResponse } from '../connection/lingering-close.ts'
import type { EventLoopMonitor } from '../event-loop-monitor.ts'
import type { ConnectionInfo } from '../proxies/connection-info.ts'
import { originOf, peerAddressOf } from '../proxies/connection-info.ts'
import type { ResolveProxies } from '../proxies/trusted-proxies.ts'
import { RequestBodyStream, emptyBodyStream } from './body-stream.ts'
import { emptyBody } from './buffered-body.ts'
import { HalfCloseState } from './half-close-state.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { onResponseClose } from './on-response-close.ts'
import type { RequestHead } from './request-head.ts'
import { RequestMemory } from './request-memory.ts'
import { bodyLength, latin1Chunk } from './response-bytes.ts'
import { countUntilSent, fitsBodyMemory } from './response-memory.ts'
import { sendChunks } from './send-chunks.ts'
import * as Problem from '../../http/problem.ts'
import * as Status from '../../http/status.ts'

/** The parts of a server that its exchanges share. */
export interface ServerContext {
  /** Whether the server is shutting down, so that each connection closes after its next response. */
  readonly isClosing: () => boolean
  /** Accepts no further requests on a connection. */
  readonly close: (socket: IncomingRequest['socket']) => void
  /** Maximum unread bytes of a request body that are discarded so that the connection can be kept. */
  readonly maxDiscardedBytes: number
  /** Headers of responses after which the connection is kept. */
  readonly keepAliveHeaders: Headers
  /** Reads headers of trusted proxies. `undefined` if no proxy is trusted. */
  readonly proxies: ResolveProxies | undefined
  readonly system: Platform
  /** Counts the bytes of bodies in memory, of all connections. */
  readonly memory: BodyMemory
  readonly loopMonitor: EventLoopMonitor | undefined
}

/** One is created per request, so methods are on the prototype, and state that few requests need is created on first use. */
export class NodeExchange implements Exchange, InFlightRequest {
  readonly request: IncomingRequest
  readonly response: ServerResponse
  readonly method: string
  readonly headers: Headers
  readonly path: string
  readonly query: string | undefined
  readonly #authority: string | undefined
  /** Whether the client waits for 100 (Continue). It may never send the body, so the connection cannot be reused. */
  #awaitsContinue: boolean
  #bodyStream: RequestBodyStream | undefined = undefined
  #halfClose: HalfCloseState | undefined = undefined
  #requestMemory: RequestMemory | undefined = undefined
  readonly #contentLength: number
  readonly #isChunked: boolean
  readonly #server: ServerContext

  /** `target` is the parsed request target, or the reason why the request is rejected. */
  constructor(
    request: IncomingRequest,
    response: ServerResponse,
    head: RequestHead,
    target: RequestTarget | RequestFailure,
    server: ServerContext,
  ) {
    const resource = target._tag === 'Resource' ? target : undefined
    this.request = request
    this.response = response
    this.method = request.method ?? ''
    this.headers = request.rawHeaders
    this.path = resource?.path ?? '*'
    this.query = resource?.query
    this.#authority = resource?.authority ?? head.host
    // `Expect` of an HTTP/1.0 request is ignored (RFC 9110, 10.1.1)
    this.#awaitsContinue = head.expects && request.httpVersion === '1.1'
    this.#contentLength = head.length
    this.#isChunked = head.coding !== undefined
    this.#server = server
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

  get #forwarded(): ConnectionInfo | undefined {
    return this.#server.proxies?.(this.request, this.#authority)
  }

  signal(): AbortSignal {
    return this.#halfCloseState.signal
  }

  onEnd(then: () => void): void {
    onResponseClose(this.request, this.response, then)
  }

  onStreamEnd(then: () => void): void {
    this.#halfCloseState.onStreamEnd(then)
  }

  get #halfCloseState(): HalfCloseState {
    return (this.#halfClose ??= new HalfCloseState(this.request, this.response))
  }

  readBody(limit: SizeLimit, then: (content: Uint8Array | RequestFailure) => void): void {
    if (this.#contentLength > limit.bytes) return then(bodyTooLarge(limit))
    if (!this.#hasBody) {
      this.#continue()
      return then(emptyBody)
    }
    const memory = (this.#requestMemory ??= new RequestMemory(this.#server.memory))
    if (!memory.admit(limit.bytes, this.#isChunked ? undefined : this.#contentLength))
      return then(memory.rejected())
    this.#continue()
    this.request.readBody(limit, memory, then)
  }

  streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    if (this.#contentLength > limit.bytes) return bodyTooLarge(limit)
    const begin = (): void => this.#continue()
    // the stream of a request without a body may never end
    if (!this.#hasBody) return emptyBodyStream(begin)
    const { reservation } = this
    if (reservation.isFull) return reservation.rejected()
    this.#bodyStream = new RequestBodyStream(this.request, limit, begin, reservation)
    return this.#bodyStream
  }

  /** Created when bytes are counted that `takeContent` does not count. */
  get reservation(): RequestMemory {
    if (this.#requestMemory !== undefined) return this.#requestMemory
    const memory = new RequestMemory(this.#server.memory)
    this.#requestMemory = memory
    this.onEnd(() => this.disconnected())
    return memory
  }

  disconnected(): void {
    this.#requestMemory?.disconnected(this.request, this.response)
  }

  followed(): void {
    if (this.#requestMemory !== undefined && this.#requestMemory.held > 0)
      this.onEnd(() => this.disconnected())
  }

  hasRoomFor(answer: EncodedResponse): boolean {
    // the memory of the request is released before the response is sent
    return fitsBodyMemory(answer, this, this.#server.memory, this.#requestMemory?.held)
  }

  get platform(): Platform {
    return this.#server.system
  }

  send(answer: EncodedResponse): void {
    this.#send(answer, this.#server.isClosing())
    this.#server.loopMonitor?.record(this)
  }

  reject(failure: RequestFailure): void {
    this.bodyFailed(failure)
    this.#linger()
    this.#send(encodeFailure(failure, this, Problem.newInstanceUri()), true)
  }

  halfClosed(isLast: boolean): void {
    // `Connection: close`, unless the head of the response is already sent
    if (isLast) this.response.shouldKeepAlive = false
    this.#halfClose?.halfClosed()
  }

  expire(): void {
    const { response } = this
    if (!response.writableEnded && this.#halfClose?.sending !== 'file') response.destroy()
  }

  bodyFailed(failure: RequestFailure): void {
    this.#bodyStream?.discard(failure)
  }

  /** Sends 100 (Continue) to a client that waits for it, unless the response has begun. */
  #continue(): void {
    if (this.#awaitsContinue && !this.response.headersSent) this.response.writeContinue()
    this.#awaitsContinue = false
  }

  /**
   * Sends a response, head and body in one write. A second response is dropped, and so is one to a client that has disconnected.
   */
  #send({ status, headers, body: content }: EncodedResponse, isClosing: boolean): void {
    const { request, response } = this
    this.#requestMemory?.responding(request, response, isChunkSource(content))
    if (response.headersSent || response.destroyed) {
      if (isChunkSource(content)) content.close()
      return
    }
    const isBodiless = this.method === 'HEAD' || !Status.allowsBody(status)
    if (request.socket.readableEnded && !isBodiless && isStreamed(content)) {
      // a client that has half-closed the connection gets no stream
      content.close()
      response.destroy()
      return
    }
    const closes = isClosing || !response.shouldKeepAlive || this.#hasTooMuchUnread
    const length = Status.allowsBody(status) ? bodyLength(content) : 0
    const hasLength = length !== undefined && status !== 204 && status !== 304
    // without a length, the end of an HTTP/1.0 connection marks the end of the body
    const connectionHeaders = closes
      ? close
      : hasLength || response.useChunkedEncodingByDefault
        ? this.#server.keepAliveHeaders
        : none
    response.writeHead(
      status,
      Status.reasonPhrase(status),
      hasLength
        ? [...headers, 'Content-Length', String(length), ...connectionHeaders]
        : [...headers, ...connectionHeaders],
    )
    if (isChunkSource(content)) this.#sendChunks(content, isBodiless, closes)
    else {
      this.#end(isBodiless ? undefined : latin1Chunk(content, length ?? 0), closes)
      if (response.writableLength > 0 && !isBodiless)
        countUntilSent(length ?? 0, this, this.#server.memory)
    }
  }

  #sendChunks(chunks: ChunkSource, isBodiless: boolean, closes: boolean): void {
    if (isBodiless) {
      chunks.close()
      return this.#end(undefined, closes)
    }
    const state = this.#halfCloseState
    state.sending = isStreamed(chunks) ? 'stream' : 'file'
    sendChunks(this.response, chunks, {
      end: () => {
        if (state.sending === 'stream') state.sending = undefined
        this.#end(undefined, closes)
      },
      onClose: (then) => {
        if (state.sending === 'stream') state.onStreamEnd(then)
        else this.onEnd(then)
      },
      budget: this.platform.turnBudget,
      memory: this.#server.memory,
    })
  }

  #end(last: string | Uint8Array | undefined, closes: boolean): void {
    this.#bodyStream?.discard(undefined)
    if (closes && this.#isUnread) this.#linger()
    this.response.end(last, 'latin1')
  }

  /** Makes this response the last one, after which the rest of the request is read and discarded. */
  #linger(): void {
    this.#server.close(this.request.socket)
    lingerAfterResponse(this.request)
  }

  get #hasBody(): boolean {
    return this.#isChunked || this.#contentLength > 0
  }

  /** Whether bytes of the request body have not arrived yet. */
  get #isUnread(): boolean {
    return !this.request.complete && this.#hasBody
  }

  /** Whether more bytes of the request body may follow than are discarded to keep the connection. */
  get #hasTooMuchUnread(): boolean {
    return (
      this.#isUnread &&
      (this.#awaitsContinue ||
        this.#isChunked ||
        this.#contentLength > this.#server.maxDiscardedBytes)
    )
  }
}

const none: Headers = []

const close: Headers = ['Connection', 'close']
