/** Implements exchanges over a connection that is read and written directly. */
import type { Socket } from 'node:net'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import * as Status from '../../http/status.ts'
import type { ChunkSource } from '../../interpreter/exchange.ts'
import { resetConnection } from '../connection/connection-end.ts'
import type { RequestBodySource } from '../exchange/request-body.ts'
import type { Http1Context } from '../exchange/http1-exchange.ts'
import { Http1Exchange } from '../exchange/http1-exchange.ts'
import type { RequestHead } from '../exchange/request-head.ts'
import type { ChunkTarget } from '../exchange/send-chunks.ts'
import type { ProxiedRequest } from '../proxies/trusted-proxies.ts'
import type { ConnectionOutput } from './connection-output.ts'
import type { CompleteHead } from './head-reader.ts'
import { IncomingBody, emptyRequestBody } from './incoming-body.ts'
import type { ResponseFraming } from './response-head.ts'

/** The connection of an exchange. Responses are written in the order of the requests. */
export interface ExchangeConnection {
  readonly socket: Socket
  readonly output: ConnectionOutput
  readonly formatHead: (status: number, headers: Headers, framing: ResponseFraming) => string
  /** Whether the client has ended its side after the requests that have been read. */
  readonly hasHalfClosed: boolean
  /** Whether the responses to all earlier requests have been written, and none of them was the last one. */
  isNext(exchange: DirectExchange): boolean
  /** Called when the response has been written. If `closes` is `true`, it is the last one on the connection. */
  onWritten(closes: boolean, lingers: boolean): void
  /** Called when the response has been sent. */
  onSent(): void
  /** Makes the connection ignore further requests. */
  close(): void
  /** Stops reading the body of the request, and ignores the bytes that follow. */
  discard(): void
  /** Sends what has been written so far, and ends the connection. */
  end(): void
  /** Aborts the connection. */
  destroy(): void
}

/** A chunk that waits until its response is the next one to be written. */
interface HeldChunk {
  readonly chunk: Uint8Array
  readonly callback: () => void
}

/** Number of bytes of chunks that a response holds until it is the next one to be written. Further chunks are not read. */
const maxHeld = 4 * 1024

/** An exchange over a connection that is read and written directly. */
export class DirectExchange extends Http1Exchange implements ChunkTarget, ProxiedRequest {
  hasResponded = false
  isEnded = false
  isFinished = false
  protected keepsAlive: boolean
  protected isWritten = false
  readonly #connection: ExchangeConnection
  readonly #body: IncomingBody | undefined
  readonly #isHttp11: boolean
  #lingers = false
  /** The formatted head of the response until it is written. */
  #head = ''
  #lastChunk: string | Uint8Array | undefined = undefined
  #held: HeldChunk[] | undefined = undefined
  #heldLength = 0
  #mustContinue = false
  #isChunked = false
  #closes = false
  #isDestroyed = false
  #callbacks: Array<() => void> | undefined = undefined

  constructor(
    connection: ExchangeConnection,
    received: CompleteHead,
    head: RequestHead,
    target: RequestTarget | RequestFailure,
    body: IncomingBody | undefined,
    keepsAlive: boolean,
    server: Http1Context,
  ) {
    super(received, head, target, body ?? emptyRequestBody, server)
    this.#connection = connection
    this.#body = body
    this.#isHttp11 = received.httpVersion === '1.1'
    this.keepsAlive = keepsAlive
  }

  get socket(): Socket {
    return this.#connection.socket
  }

  get httpVersion(): string {
    return this.#isHttp11 ? '1.1' : '1.0'
  }

  get rawHeaders(): Headers {
    return this.headers
  }

  get isReceived(): boolean {
    return this.#body === undefined || this.#body.isComplete
  }

  get isQueued(): boolean {
    return !this.#isNext() || this.#connection.output.unsentLength > 0
  }

  get isDestroyed(): boolean {
    return this.#isDestroyed || this.socket.destroyed
  }

  get isHalfClosed(): boolean {
    return this.#connection.hasHalfClosed
  }

  get destroyed(): boolean {
    return this.isDestroyed
  }

  get writableLength(): number {
    return this.#heldLength + this.#connection.output.unsentLength
  }

  onceEnded(callback: () => void): void {
    ;(this.#callbacks ??= []).push(callback)
  }

  onEnd(callback: () => void): void {
    if (this.isEnded) callback()
    else this.onceEnded(callback)
  }

  endEarly(): void {
    if (this.#isNext()) this.#connection.end()
    else this.destroy()
  }

  /** Ends the exchange. `isFinished` is `true` if the response has been sent, and `false` if the connection has closed. */
  conclude(isFinished: boolean): void {
    if (this.isEnded) return
    this.isEnded = true
    this.isFinished = isFinished
    const callbacks = this.#callbacks
    this.#callbacks = undefined
    if (callbacks !== undefined) for (const callback of callbacks) callback()
  }

  /** Writes what has been held back. Called when the responses to all earlier requests have been written. */
  activate(): void {
    if (this.#isDestroyed) return this.#connection.end()
    if (this.#mustContinue) this.writeContinue()
    const held = this.#held
    this.#held = undefined
    this.#heldLength = 0
    if (held !== undefined) for (const { chunk, callback } of held) this.write(chunk, callback)
    if (this.isWritten) this.#writeEnd()
    else this.flushHeaders()
  }

  write(chunk: Uint8Array, callback: () => void): boolean {
    if (!this.#isNext()) {
      ;(this.#held ??= []).push({ chunk, callback })
      this.#heldLength += chunk.length
      return this.#heldLength < maxHeld
    }
    const { output } = this.#connection
    const head = this.#takeHead()
    return this.#isChunked
      ? output.writeBytes(`${head}${chunk.length.toString(16)}\r\n`, chunk, '\r\n', callback)
      : output.writeBytes(head, chunk, '', callback)
  }

  flushHeaders(): void {
    if (this.#head === '' || !this.#isNext()) return
    const { output } = this.#connection
    output.addText(this.#takeHead())
    output.flush()
  }

  protected get proxied(): ProxiedRequest {
    return this
  }

  protected get bodySource(): RequestBodySource {
    return this.#body ?? new IncomingBody(() => undefined)
  }

  protected get hasUnsent(): boolean {
    return !this.isEnded && this.isQueued
  }

  protected get chunkTarget(): ChunkTarget {
    return this
  }

  protected stopKeepAlive(): void {
    this.keepsAlive = false
  }

  protected writeContinue(): void {
    this.#mustContinue = !this.#isNext()
    if (this.#mustContinue) return
    const { output } = this.#connection
    output.addText('HTTP/1.1 100 Continue\r\n\r\n')
    output.flush()
  }

  protected start(
    status: number,
    headers: Headers,
    length: number | undefined,
    closes: boolean,
  ): void {
    const isChunked =
      length === undefined &&
      this.#isHttp11 &&
      this.method !== 'HEAD' &&
      status !== 204 &&
      status !== 304 &&
      Status.allowsBody(status)
    // in HTTP/1.0, a body without a length ends when the connection closes
    const isLast = closes || (length === undefined && !this.#isHttp11)
    this.#head = this.#connection.formatHead(status, headers, { length, isChunked, closes: isLast })
    this.hasResponded = true
    this.#isChunked = isChunked
    this.#closes = isLast
    if (isLast) this.#connection.close()
  }

  protected end(lastChunk: string | Uint8Array | undefined): void {
    this.isWritten = true
    this.#lastChunk = lastChunk
    if (this.#body !== undefined && !this.#body.isComplete) {
      this.#body.discardBody()
      this.#body.resume()
    }
    if (this.#isNext()) this.#writeEnd()
  }

  protected cut({ length }: ChunkSource): void {
    // the end of the connection would mark the end of the body (RFC 9112, 6.3)
    if (length === undefined && !this.#isChunked && !this.socket.writableEnded)
      resetConnection(this.socket)
    this.destroy()
  }

  protected destroy(): void {
    this.#isDestroyed = true
    if (this.#isNext()) this.#connection.destroy()
  }

  protected linger(): void {
    this.#lingers = true
    this.#connection.discard()
  }

  #isNext(): boolean {
    return this.#connection.isNext(this)
  }

  #takeHead(): string {
    const head = this.#head
    this.#head = ''
    return head
  }

  #writeEnd(): void {
    const { output } = this.#connection
    const head = this.#takeHead()
    const lastChunk = this.#lastChunk
    this.#lastChunk = undefined
    const onSent = (): void => this.#onSent()
    if (this.#isChunked) output.addText(`${head}0\r\n\r\n`, onSent)
    else if (lastChunk === undefined) output.addText(head, onSent)
    else if (typeof lastChunk === 'string') output.addText(head + lastChunk, onSent)
    else output.writeBytes(head, lastChunk, '', onSent)
    this.#connection.onWritten(this.#closes, this.#lingers)
  }

  #onSent(): void {
    this.#connection.onSent()
    this.conclude(true)
  }
}
