/** Implements exchanges over HTTP/2. Each exchange has a stream of its connection. */
import type { ServerHttp2Stream } from 'node:http2'
import { constants } from 'node:http2'
import type { Socket } from 'node:net'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import type { ChunkSource, EncodedResponse } from '../../interpreter/exchange.ts'
import { isChunkSource } from '../../interpreter/exchange.ts'
import type { BodyMemory } from '../../interpreter/memory-reservation.ts'
import { encodeRejection } from '../../interpreter/errors/error-response.ts'
import { countUntilSent } from '../body-memory.ts'
import type { BodyState } from '../connection/slow-connections.ts'
import type { ServerContext } from '../exchange/received-exchange.ts'
import { ReceivedExchange } from '../exchange/received-exchange.ts'
import type { RequestBodySource } from '../exchange/request-body.ts'
import { BufferedBody, emptyBody, readableSource } from '../exchange/request-body.ts'
import { sendChunks } from '../exchange/send-chunks.ts'
import type { ProxiedRequest } from '../proxies/trusted-proxies.ts'
import type { Http2Head } from './http2-head.ts'
import { ResponseWriter, resetStream, responseHeaders } from './http2-response.ts'

/** An exchange over a stream of an HTTP/2 connection. */
export class Http2Exchange extends ReceivedExchange implements BodyState, ProxiedRequest {
  readonly socket: Socket
  readonly httpVersion = '2'
  /** The time at which the header section was received, in milliseconds. */
  readonly startTime: number = performance.now()
  readonly #stream: ServerHttp2Stream
  readonly #writer: ResponseWriter
  #body: BufferedBody | undefined = undefined
  #controller: AbortController | undefined = undefined
  #endCallbacks: Array<() => void> = []
  #isReceived: boolean
  #isEnded = false
  /** Whether the whole response has been passed to the stream. */
  #isSent = false
  #isAborted = false
  #bytesBuffered = 0

  /** `hasBody` is `false` if the header section has ended the request. `memory` counts the responses of the connection. */
  constructor(
    stream: ServerHttp2Stream,
    socket: Socket,
    head: Http2Head,
    hasBody: boolean,
    server: ServerContext,
    memory: BodyMemory,
  ) {
    super(
      { ...head, hasBody, awaitsContinue: head.awaitsContinue && hasBody },
      head.target,
      server,
      memory,
    )
    this.#stream = stream
    this.#writer = new ResponseWriter(stream)
    this.socket = socket
    this.#isReceived = !hasBody
    stream.once('end', this.#onRequestEnd)
    stream.once('aborted', this.#onAborted)
    stream.once('close', this.#onClose)
  }

  /** The headers from which proxies are determined. */
  get rawHeaders(): Headers {
    return this.headers
  }

  get isReceived(): boolean {
    return this.#isReceived
  }

  get isAwaitingBody(): boolean {
    const { readableFlowing, readableLength } = this.#stream
    return !this.#isReceived && readableFlowing === true && readableLength === 0
  }

  /** Number of bytes of the request body that have been read from the stream. */
  get receivedBytes(): number {
    return this.bodyStream?.received ?? this.#bytesBuffered
  }

  get hasResponded(): boolean {
    return this.#stream.headersSent
  }

  /** Always `true`, because the flow-control windows of the client may be exhausted. */
  get isQueued(): boolean {
    return true
  }

  /** Whether the stream was closed before the whole response was sent, and not by the server. */
  get wasReset(): boolean {
    return !this.#isComplete() && !this.#isAborted
  }

  /** Returns for how many milliseconds the client has accepted no bytes of the response. */
  writeStallTime(now: number): number {
    return this.#writer.stallTime(now)
  }

  signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isEnded ? !this.#isComplete() : this.#writer.destroyed) this.#controller.abort()
    }
    return this.#controller.signal
  }

  onEnd(callback: () => void): void {
    if (this.#isEnded) callback()
    else this.#endCallbacks.push(callback)
  }

  protected bufferBody(...read: ConstructorParameters<typeof BufferedBody>): void {
    const body = new BufferedBody(...read)
    this.#body = body
    const stream = this.#stream
    stream.on('data', (chunk: Buffer) => {
      this.#bytesBuffered += chunk.length
      // the client can then send no more than its flow-control window
      if (!body.add(chunk) && !this.#isSent) stream.pause()
    })
    stream.on('end', () => {
      if (this.#isReceived) body.end()
    })
  }

  protected get proxied(): ProxiedRequest {
    return this
  }

  protected get bodySource(): RequestBodySource {
    return readableSource(this.#stream)
  }

  discardBody(): void {
    this.#body?.discard()
    this.#body = undefined
  }

  reject(failure: RequestFailure): void {
    this.bodyStream?.discard(failure)
    this.respond(encodeRejection(failure, this, this.server.rejectionHeaders))
  }

  /**
   * Resets the stream. `code` is an error code of RFC 9113, section 7. If the stream is still open at the second call, because
   * nothing can be sent on the connection, it is destroyed.
   */
  abort(code: number): void {
    if (this.#isAborted) return void this.#stream.destroy()
    this.#isAborted = true
    this.bodyStream?.discard(undefined)
    resetStream(this.#stream, code)
  }

  protected writeContinue(): void {
    if (!this.#writer.destroyed)
      this.#stream.additionalHeaders({ ':status': constants.HTTP_STATUS_CONTINUE })
  }

  protected respond({ status: encodedStatus, headers, body: entity }: EncodedResponse): void {
    const body = typeof entity === 'string' ? Buffer.from(entity) : (entity ?? emptyBody)
    const stream = this.#stream
    const status = encodedStatus > maxStatus ? fallbackStatus : encodedStatus
    this.requestMemory?.onResponse(this, isChunkSource(body))
    if (stream.headersSent || this.#writer.destroyed) {
      if (isChunkSource(body)) body.close()
      return
    }
    const isBodiless = this.method === 'HEAD' || !Status.allowsBody(status)
    const length = Status.allowsBody(status) ? body.length : 0
    const hasLength = length !== undefined && status !== 204 && status !== 304
    const sentHeaders = hasLength ? [...headers, 'content-length', String(length)] : headers
    const endStream = isBodiless || length === 0
    stream.respond(responseHeaders(status, sentHeaders), { endStream })
    if (endStream) {
      if (isChunkSource(body)) body.close()
      this.#end()
    } else if (isChunkSource(body)) this.#sendChunks(body)
    else {
      countUntilSent(length ?? 0, this, this.memory)
      this.#writer.end(body)
      this.#end()
    }
  }

  #sendChunks(chunks: ChunkSource): void {
    sendChunks(this.#writer, chunks, {
      abort: () => this.abort(constants.NGHTTP2_INTERNAL_ERROR),
      end: () => {
        this.#stream.end()
        this.#end()
      },
      onClose: (callback) => this.onEnd(callback),
      budget: this.platform.turnBudget,
      memory: this.memory,
    })
  }

  /** Discards the rest of the request, and makes the client stop sending it once the response has been sent (RFC 9113, 8.1). */
  #end(): void {
    const stream = this.#stream
    this.#isSent = true
    this.bodyStream?.discard(undefined)
    if (this.#isReceived) return
    const stop = (): void => {
      if (!this.#isReceived && !stream.closed) stream.close(constants.NGHTTP2_NO_ERROR)
    }
    // the writable side of a HEAD request has finished before the head of the response is sent
    if (stream.writableFinished) setImmediate(stop)
    else stream.once('finish', stop)
    stream.resume()
  }

  /** Whether a closed stream has sent the whole response. Node.js may close it before the writable side has finished. */
  #isComplete(): boolean {
    return this.#isSent && this.#stream.rstCode === constants.NGHTTP2_NO_ERROR
  }

  /** Called at the end of the request body, and also when the stream has been reset before. */
  readonly #onRequestEnd = (): void => {
    if (this.#stream.closed && !this.#isSent) this.bodyStream?.onClose()
    else this.#isReceived = true
  }

  /** Called when the stream is reset before the end of the response. Node.js then ends the request body, too. */
  readonly #onAborted = (): void => {
    this.bodyStream?.onClose()
    // after NO_ERROR, Node.js would wait until the body has been read
    if (!this.#isAborted) this.#stream.destroy()
  }

  readonly #onClose = (): void => {
    this.#isEnded = true
    if (!this.#isComplete()) this.#controller?.abort()
    this.requestMemory?.onDisconnect(this)
    for (const callback of this.#endCallbacks.splice(0)) callback()
  }
}

/** The highest status that `node:http2` sends. Clients handle higher ones like 500 (RFC 9110, section 15). */
const maxStatus = 599
const fallbackStatus = 500
