/** Implements exchanges with `node:http`. An exchange is a received request together with its response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import * as Status from '../../http/status.ts'
import type { ChunkSource } from '../../interpreter/exchange.ts'
import { lingerAfterResponse, onResponseClose } from '../connection/connection-end.ts'
import type { ProxiedRequest } from '../proxies/trusted-proxies.ts'
import type { RequestBodySource, RequestBuffer } from './request-body.ts'
import { readableSource } from './request-body.ts'
import type { Http1Context } from './http1-exchange.ts'
import { Http1Exchange } from './http1-exchange.ts'
import type { RequestHead } from './request-head.ts'
import type { ChunkTarget } from './send-chunks.ts'
import { cutConnection, destroyInTurn } from './send-chunks.ts'

/** An exchange over a `node:http` connection. */
export class NodeExchange extends Http1Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse

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
    super(request, head, target, buffer, server)
    this.request = request
    this.response = response
  }

  get socket(): Socket {
    return this.request.socket
  }

  get httpVersion(): string {
    return this.request.httpVersion
  }

  get isReceived(): boolean {
    return this.request.complete
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

  get isDestroyed(): boolean {
    return this.response.destroyed
  }

  get isFinished(): boolean {
    return this.response.writableFinished
  }

  get isHalfClosed(): boolean {
    return this.socket.readableEnded
  }

  onceEnded(callback: () => void): void {
    this.response.once('close', callback)
  }

  onEnd(callback: () => void): void {
    onResponseClose(this.request, this.response, callback)
  }

  endEarly(): void {
    const { response } = this
    // a response without a socket waits for earlier pipelined responses, which are still sent
    if (response.socket === null) destroyInTurn(response)
    else this.socket.end()
  }

  protected get proxied(): ProxiedRequest {
    return this.request
  }

  protected get bodySource(): RequestBodySource {
    return readableSource(this.request)
  }

  protected get keepsAlive(): boolean {
    return this.response.shouldKeepAlive
  }

  protected get isWritten(): boolean {
    return this.response.writableEnded
  }

  protected get hasUnsent(): boolean {
    return this.response.writableLength > 0
  }

  protected get chunkTarget(): ChunkTarget {
    return this.response
  }

  protected stopKeepAlive(): void {
    this.response.shouldKeepAlive = false
  }

  protected writeContinue(): void {
    this.response.writeContinue()
  }

  protected start(
    status: number,
    headers: Headers,
    length: number | undefined,
    closes: boolean,
  ): void {
    // in HTTP/1.0, a body without a length ends when the connection closes
    const connectionHeaders = closes
      ? closeHeaders
      : length !== undefined || this.response.useChunkedEncodingByDefault
        ? this.server.keepAliveHeaders
        : noHeaders
    const lengthHeaders = length === undefined ? noHeaders : ['Content-Length', `${length}`]
    this.writeHead(status, [...headers, ...lengthHeaders, ...connectionHeaders])
  }

  /** Writes the head of the response. */
  protected writeHead(status: number, headers: string[]): void {
    const { response } = this
    if (response.getHeaderNames().length > 0) writeHeadSeparately(response, status, headers)
    else response.writeHead(status, Status.reasonPhrase(status), headers)
  }

  protected end(lastChunk: string | Uint8Array | undefined): void {
    this.response.end(lastChunk, 'latin1')
  }

  protected cut(chunks: ChunkSource): void {
    cutConnection(this.response, chunks)
  }

  protected destroy(): void {
    destroyInTurn(this.response)
  }

  /** Makes the current response the last one on the connection. The rest of the request is then read and discarded. */
  protected linger(): void {
    this.server.close(this.socket)
    lingerAfterResponse(this.request)
  }
}

const noHeaders: Headers = []

const closeHeaders: Headers = ['Connection', 'close']

/** Headers whose values are added to those that have been set, because both apply. */
const combined = new Set(['set-cookie', 'vary'])

/**
 * Writes the head of a response whose headers the application has partly set. The headers replace those that have been set under the
 * same name, except for `Set-Cookie` and `Vary`.
 *
 * If headers have been set, `writeHead` in Node.js 20 loses all but the last of repeated headers. Replacements of `writeHead` by
 * middleware, such as those of `on-headers`, may do so as well, or may not support an array of headers.
 */
export const writeHeadSeparately = (
  response: ServerResponse,
  status: number,
  headers: Headers,
): void => {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!combined.has(name.toLowerCase())) response.removeHeader(name)
  }
  for (let index = 0; index < headers.length; index += 2)
    response.appendHeader(headers[index] ?? '', headers[index + 1] ?? '')
  response.writeHead(status, Status.reasonPhrase(status))
}
