/**
 * Serves one connection with HTTP/1.1: reads its requests, and writes the responses in the same order.
 *
 * Requests are processed as soon as they have been received. Reading pauses while too many pipelined requests wait for their
 * responses, while the client does not read the responses, and while a body is not read.
 *
 * An idle connection keeps as little memory as possible: neither its last exchange, nor a reader of heads, nor functions of its own
 * except the one that receives bytes. `npm run idle` in `bench/` measures it.
 */
import type { Socket } from 'node:net'
import type { RequestFailure } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import { expireAfter, notifyHalfClose, lingeringClose } from '../connection/connection-end.ts'
import type { InFlightRequest } from '../connection/in-flight-requests.ts'
import type { Http1Context } from '../exchange/http1-exchange.ts'
import type { HeadLimits } from '../exchange/request-head.ts'
import { readHead, validateHead } from '../exchange/request-head.ts'
import type { Receive } from '../exchange/received-exchange.ts'
import { ConnectionOutput } from './connection-output.ts'
import type { ExchangeConnection } from './direct-exchange.ts'
import { DirectExchange } from './direct-exchange.ts'
import type { CompleteHead } from './head-reader.ts'
import { HeadReader, incomplete, malformed, rejected } from './head-reader.ts'
import { BodyReader, IncomingBody } from './incoming-body.ts'
import type { ReadShared } from '../internals.ts'

/** What the connections of a server share. */
export interface DirectServer extends Pick<ExchangeConnection, 'formatHead'> {
  readonly context: Http1Context
  readonly limits: HeadLimits
  readonly receive: Receive
  readonly readShared: ReadShared
  /** A reader of heads that no connection uses at the moment. Connections share it, because most of them receive whole heads. */
  unusedHead: HeadReader | undefined
  /** The listeners of all sockets, which they share, so that an idle connection takes less memory. */
  readonly listeners: Readonly<
    Record<'end' | 'drain' | 'timeout' | 'error' | 'close', (this: Socket) => void>
  >
  /** Called when a connection has closed. */
  readonly onClose: (socket: Socket) => void
  /** Ends a connection after its received requests, because the bytes that follow are rejected. */
  readonly fail: (failure: RequestFailure, socket: Socket, received?: string) => void
  /** Timeouts in milliseconds. `0` disables a timeout. */
  readonly timeouts: {
    /** Maximum time from the first byte of a request, or from the start of the connection, to the end of the head. */
    readonly head: number
    /** Maximum time from the first byte of a request to the end of its body. */
    readonly request: number
    /** Maximum time from a half-close to the response. */
    readonly halfClose: number
  }
}

/** Maximum number of pipelined requests on a connection that wait for their responses. */
const maxPipelined = 32

/** Number of unsent bytes at which collected responses are written before the next request is read. */
const maxCollected = 16 * 1024

/** Number of bytes of waiting requests at which the connection is paused. Until then, a disconnect is noticed. */
const maxWaiting = 16 * 1024

/** A connection. */
export class DirectConnection implements ExchangeConnection {
  readonly socket: Socket
  readonly output: ConnectionOutput
  readonly #server: DirectServer
  /** The reader of the head that is being received. */
  #head: HeadReader | undefined = undefined
  /** Whether received bytes are in a buffer that the next read uses again. */
  readonly #isShared: boolean
  /** The body that is being received. */
  #body: BodyReader | undefined = undefined
  /** The exchanges that have not ended, in the order of the requests. */
  readonly #open: DirectExchange[] = []
  /** Number of open exchanges whose responses have been written, but not sent. */
  #written = 0
  #hasReceived = false
  /** The latest exchange, until it has ended. */
  #latest: DirectExchange | undefined = undefined
  /** Received bytes that have not been read because there are too many requests. */
  #rest: Buffer | undefined = undefined
  #isReading = false
  /** Whether a later turn of the event loop continues to read, because pipelined requests have used their time in this turn. */
  #isDeferred = false
  #isPaused = false
  hasHalfClosed = false
  /** Whether further requests are ignored. */
  #isClosed = false
  /** Whether the last response has been written. */
  #isOver = false
  /** Whether the client has sent, or might still send, bytes that are not read. */
  #lingers = false
  /** The time at which the connection started waiting for the rest of a request, or `undefined` between two requests. */
  #waitingSince: number | undefined = performance.now()

  constructor(socket: Socket, server: DirectServer) {
    this.socket = socket
    this.output = new ConnectionOutput(socket)
    this.#server = server
    const onData = (chunk: Buffer): void => this.#onData(chunk)
    this.#isShared = server.readShared(socket, onData)
    if (!this.#isShared) socket.on('data', onData)
    for (const [event, listener] of Object.entries(server.listeners)) socket.on(event, listener)
  }

  get formatHead(): DirectServer['formatHead'] {
    return this.#server.formatHead
  }

  /** The most recent request, or `undefined` before the first one, and after it has ended. */
  get latest(): InFlightRequest | undefined {
    return this.#latest
  }

  /** Whether the connection has received at least one request, and all responses have been sent. */
  get isBetweenRequests(): boolean {
    return this.#hasReceived && (this.#latest === undefined || this.#latest.isEnded)
  }

  /** Whether the connection has received at least one request, and has no request in progress. */
  get isIdle(): boolean {
    return (
      this.#hasReceived &&
      this.#open.length === 0 &&
      this.#body === undefined &&
      !this.#isHeadStarted
    )
  }

  get #isHeadStarted(): boolean {
    return this.#head !== undefined && this.#head.isStarted
  }

  /** Rejects a request that has not been received in time. */
  checkTimeouts(now: number): void {
    const since = this.#waitingSince
    if (since === undefined) return
    const isReading = this.#body === undefined ? !this.#isClosed : !this.#body.body.isPaused
    const { head, request } = this.#server.timeouts
    const timeout = this.#body === undefined ? head : request
    if (isReading && timeout > 0 && now - since >= timeout) this.fail({ _tag: 'RequestTimeout' })
  }

  isNext(exchange: DirectExchange): boolean {
    return !this.#isOver && this.#open[this.#written] === exchange
  }

  onWritten(closes: boolean, lingers: boolean): void {
    this.#written++
    if (closes) {
      this.#isOver = true
      this.#lingers ||= lingers
      if (!this.#isReading) this.#finish()
      return
    }
    const next = this.#open[this.#written]
    if (!this.#isReading && next === undefined) this.output.flush()
    else if (!this.#isReading) this.output.flushSoon()
    next?.activate()
    if (this.#rest !== undefined) process.nextTick(() => this.#continue())
  }

  onSent(): void {
    if (this.#open.shift() !== undefined) this.#written--
    this.#releaseLatest()
    if (this.hasHalfClosed && this.#open.length === 0) this.end()
  }

  /** Releases the latest exchange, unless its request is being received, or its response is being sent. */
  #releaseLatest(): void {
    if (this.#open.length === 0 && this.#body === undefined) this.#latest = undefined
  }

  close(): void {
    this.#isClosed = true
    this.#rest = undefined
    this.#updateFlow()
  }

  discard(): void {
    this.#body = undefined
    this.close()
  }

  end(): void {
    this.#isOver = true
    this.close()
    this.output.flush()
    this.socket.destroySoon()
  }

  destroy(): void {
    this.output.flush()
    this.socket.destroy()
  }

  /** Closes the connection after the last response. */
  #finish(): void {
    this.output.flush()
    // unread bytes would reset the connection, and the client might lose the response
    if (this.#lingers) lingeringClose(this.socket)
    else this.socket.destroySoon()
  }

  /** Whether the next request has to wait. */
  #isFull(): boolean {
    if (this.#open.length - this.#written >= maxPipelined) return true
    if (this.output.unsentLength < maxCollected) return false
    this.output.flush()
    return this.socket.writableNeedDrain
  }

  /** Whether another pipelined request may be processed in this turn of the event loop. If not, continues in a later turn. */
  #hasTime(): boolean {
    const { turnBudget } = this.#server.context.platform
    if (turnBudget.hasTime()) return true
    this.#isDeferred = true
    turnBudget.defer(() => {
      this.#isDeferred = false
      this.#continue()
    })
    return false
  }

  #onData(chunk: Buffer): void {
    const isPipelined = this.#rest !== undefined
    this.#rest = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    this.#continue(isPipelined)
  }

  /** Reads the received bytes until the next request has to wait. `isPipelined` is whether the next request follows another one. */
  #continue(isPipelined = true): void {
    const chunk = this.#rest
    if (chunk === undefined || this.#isReading || this.#isDeferred) return
    this.#rest = undefined
    this.#isReading = true
    let at = 0
    let follows = isPipelined
    while (at < chunk.length) {
      if (this.#body !== undefined) at = this.#readBody(this.#body, chunk, at)
      else if (this.#isClosed) {
        this.#lingers = true
        break
      } else if (this.#isFull() || (follows && !this.#hasTime())) {
        this.#rest = this.#isShared ? Buffer.from(chunk.subarray(at)) : chunk.subarray(at)
        break
      } else {
        at = this.#readHead(chunk, at)
        follows = true
      }
    }
    this.#isReading = false
    if (this.#isOver) return this.#finish()
    this.output.flush()
    if (this.#body === undefined && !this.#isHeadStarted) {
      if (this.#hasReceived) this.#waitingSince = undefined
    } else this.#waitingSince ??= performance.now()
    // streams whose elements are available start before that
    if (this.#rest === undefined && this.socket.readableEnded)
      setImmediate(() => this.#onHalfClose())
    this.#updateFlow()
  }

  #readHead(chunk: Buffer, at: number): number {
    const server = this.#server
    const head = this.#head ?? server.unusedHead ?? new HeadReader(server.limits)
    server.unusedHead = undefined
    const end = head.read(chunk, at)
    this.#head = end === incomplete && !head.isUnused ? head : undefined
    if (end === rejected) this.fail(head.failure, head.received + chunk.toString('latin1', at))
    else if (end >= 0) {
      const received = head.take()
      server.unusedHead = head
      this.#receive(received)
    } else if (head.isUnused) server.unusedHead = head
    return end < 0 ? chunk.length : end
  }

  #readBody(reader: BodyReader, chunk: Buffer, at: number): number {
    const end = reader.read(chunk, at)
    if (end >= 0) {
      this.#body = undefined
      this.#waitingSince = undefined
      reader.body.complete()
      this.#releaseLatest()
    } else if (end === rejected) this.fail(reader.failure)
    return end < 0 ? chunk.length : end
  }

  #receive(received: CompleteHead): void {
    const { limits, context, receive } = this.#server
    const { method, httpVersion, rawHeaders } = received
    if (method === 'CONNECT') return this.fail({ _tag: 'MethodNotAllowed', allow: [] })
    const head = readHead(rawHeaders)
    const validated = validateHead(received, head, limits)
    const isValid = validated._tag === 'Resource' || validated._tag === 'Asterisk'
    const isUnexpected = isValid && head.expects && !isExpectationKnown(received)
    const target: typeof validated = isUnexpected ? { _tag: 'ExpectationFailed' } : validated
    const hasBody = isValid && !isUnexpected && (head.coding !== undefined || head.length > 0)
    const body = hasBody ? new IncomingBody(() => this.#updateFlow()) : undefined
    const keepsAlive = isPersistent(httpVersion, Headers.combined(rawHeaders, 'connection'))
    const exchange = new DirectExchange(this, received, head, target, body, keepsAlive, context)
    if (this.#open.length > 0) this.#latest?.onNextRequest()
    this.#hasReceived = true
    this.#latest = exchange
    this.#open.push(exchange)
    if (body === undefined) this.#waitingSince = undefined
    else this.#body = new BodyReader(body, head, limits, this.#isShared)
    if (!keepsAlive) this.#isClosed = true
    receive(exchange, target)
  }

  /** Rejects the request that is being received, and everything that follows. */
  fail(failure: RequestFailure, received?: string): void {
    this.discard()
    this.#server.fail(failure, this.socket, received)
  }

  #updateFlow(): void {
    const isPaused = (this.#rest?.length ?? 0) >= maxWaiting || this.#body?.body.isPaused === true
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    if (isPaused) this.socket.pause()
    else this.socket.resume()
  }

  /** Called when the client has ended its side. */
  onEnd(): void {
    const { halfClose } = this.#server.timeouts
    // the half-close follows the requests that have not been read
    if (this.#rest === undefined || halfClose === 0) this.#onHalfClose()
    else expireAfter(this.socket, [...this.#open], halfClose)
  }

  #onHalfClose(): void {
    this.hasHalfClosed = true
    const isIncomplete = this.#body !== undefined || (this.#isHeadStarted && !this.#isClosed)
    if (isIncomplete) this.fail(malformed)
    const pending = [...this.#open]
    const { halfClose } = this.#server.timeouts
    if (pending.length > 0 && halfClose > 0) notifyHalfClose(this.socket, pending, halfClose)
    else this.end()
  }

  /** Called when the socket has room for more bytes. */
  onDrain(): void {
    this.#continue()
  }

  /** Called when the connection has closed. */
  onClose(): void {
    this.#isClosed = true
    this.#isOver = true
    this.#rest = undefined
    const open = this.#open.splice(0)
    this.#written = 0
    for (const exchange of open) exchange.conclude(false)
    this.#body?.body.abort()
    this.#latest?.onDisconnect()
    this.#server.onClose(this.socket)
  }
}

/** Whether a connection stays open after a request (RFC 9112, 9.3). `options` is the list in its `Connection` headers. */
const isPersistent = (httpVersion: string, options: string | undefined): boolean => {
  if (options === undefined) return httpVersion === '1.1'
  const list = Grammar.splitList(options).map((option) => option.toLowerCase())
  return !list.includes('close') && (httpVersion === '1.1' || list.includes('keep-alive'))
}

/** Whether a request expects nothing but 100 (Continue). In HTTP/1.0, the header is ignored (RFC 9110, 10.1.1). */
const isExpectationKnown = ({ httpVersion, rawHeaders }: CompleteHead): boolean => {
  if (httpVersion === '1.0') return true
  const list = Grammar.splitList(Headers.combined(rawHeaders, 'expect') ?? '')
  return list.length > 0 && list.every((value) => value.toLowerCase() === '100-continue')
}
