/**
 * Implements what exchanges over HTTP/1.1 have in common: the framing and the order of responses, and half-closed connections.
 * Subclasses read and write the messages.
 */
import type { Socket } from 'node:net'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import * as Status from '../../http/status.ts'
import type { ChunkSource, EncodedResponse } from '../../interpreter/exchange.ts'
import { isChunkSource, isStreamed } from '../../interpreter/exchange.ts'
import { encodeRejection } from '../../interpreter/errors/error-response.ts'
import type { RequestMemory } from '../body-memory.ts'
import { countUntilSent, uncountedBytes } from '../body-memory.ts'
import type { HalfCloseTarget } from '../connection/connection-end.ts'
import { HalfCloseState } from '../connection/connection-end.ts'
import type { InFlightRequest } from '../connection/in-flight-requests.ts'
import type { ServerContext } from './received-exchange.ts'
import { ReceivedExchange } from './received-exchange.ts'
import type { RequestBuffer } from './request-body.ts'
import type { ReceivedHead, RequestHead } from './request-head.ts'
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
  extends ReceivedExchange
  implements InFlightRequest, HalfCloseTarget
{
  #halfClose: HalfCloseState | undefined = undefined
  readonly #buffer: RequestBuffer
  declare protected readonly server: Http1Context

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
    const isChunked = head.coding !== undefined
    const request = {
      method: received.method ?? '',
      headers: received.rawHeaders,
      host: head.host,
      hasBody: isChunked || head.length > 0,
      length: isChunked ? undefined : head.length,
      // `Expect` in an HTTP/1.0 request is ignored (RFC 9110, 10.1.1)
      awaitsContinue: head.expects && received.httpVersion === '1.1',
    }
    super(request, target, server, server.memory)
    this.#buffer = buffer
  }

  abstract readonly isEnded: boolean
  abstract readonly isDestroyed: boolean
  abstract readonly isFinished: boolean
  abstract readonly isHalfClosed: boolean
  abstract onceEnded(callback: () => void): void
  abstract endEarly(): void

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
      (this.requestMemory === undefined || this.requestMemory.held === 0)
    )
  }

  discardBody(): void {
    this.#buffer.discardBody()
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

  protected bufferBody(...read: Parameters<RequestBuffer['readBody']>): void {
    this.#buffer.readBody(...read)
  }

  override get reservation(): RequestMemory {
    const isNew = this.requestMemory === undefined
    const memory = super.reservation
    if (isNew) this.onEnd(() => this.onDisconnect())
    return memory
  }

  onDisconnect(): void {
    this.requestMemory?.onDisconnect(this)
  }

  onNextRequest(): void {
    if (this.requestMemory !== undefined && this.requestMemory.held > 0)
      this.onEnd(() => this.onDisconnect())
  }

  reject(failure: RequestFailure): void {
    this.onBodyFailed(failure)
    this.linger()
    this.respond(encodeRejection(failure, this, this.server.rejectionHeaders), true)
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
    this.bodyStream?.discard(failure)
  }

  /**
   * Sends a response. A body that is available as a whole is written together with the head. The response is discarded if another
   * response has been sent or the client has disconnected.
   */
  protected respond(
    { status, headers, body: entity }: EncodedResponse,
    isClosing = this.server.shutdown.isClosing,
  ): void {
    const body = typeof entity === 'string' ? encodeText(entity) : entity
    this.requestMemory?.onResponse(this, isChunkSource(body))
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
    const closes = isClosing || !this.keepsAlive || this.awaitsContinue || this.#hasTooMuchUnread()
    const length = body === undefined || !Status.allowsBody(status) ? 0 : body.length
    const isUnframed = status === 204 || status === 304
    this.start(status, headers, isUnframed ? undefined : length, closes)
    if (isChunkSource(body)) this.#sendChunks(body, isBodiless, closes)
    else {
      this.#end(isBodiless ? undefined : body, closes)
      const sent = isBodiless ? 0 : (length ?? 0)
      if (sent > uncountedBytes && this.hasUnsent) countUntilSent(sent, this, this.memory)
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
      memory: this.memory,
    })
  }

  #end(lastChunk: string | Uint8Array | undefined, closes: boolean): void {
    this.bodyStream?.discard(undefined)
    if (closes && this.#isUnread()) this.linger()
    this.end(lastChunk)
  }

  /** Whether part of the request body has not arrived yet. */
  #isUnread(): boolean {
    return this.hasBody && !this.isReceived
  }

  /**
   * Whether the unread part of the request body is, or might be, too large to be read and discarded. If so, the connection is
   * closed after the response.
   */
  #hasTooMuchUnread(): boolean {
    return (
      this.#isUnread() &&
      (this.contentLength === undefined || this.contentLength > this.server.maxDiscardedBytes)
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
