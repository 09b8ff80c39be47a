/** The exchange of `node:http`: a request that was received, and the response to it. */
import type { ServerResponse } from 'node:http'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import * as Problem from '../../http/problem.ts'
import * as Status from '../../http/status.ts'
import type { BodyMemory } from '../../interpreter/request-body/body-memory.ts'
import type { Answer, Exchange } from '../../interpreter/exchange.ts'
import type { Intake } from '../../interpreter/request-body/body-stream.ts'
import type { Pieces } from '../../interpreter/chunks.ts'
import { isPieces, isStream } from '../../interpreter/chunks.ts'
import { refuse } from '../../interpreter/errors/error-response.ts'
import { Reservation } from '../../interpreter/request-body/memory-reservation.ts'
import type { SizeLimit } from '../../compiler/settings/size-limit.ts'
import type { System } from '../../interpreter/platform.ts'
import { tooLarge } from '../../interpreter/request-body/too-large.ts'
import { emptyBody } from './buffered-body.ts'
import type { InFlightRequest } from '../connection/parser-failure.ts'
import { onResponseClose } from './on-response-close.ts'
import type { RequestHead } from './request-head.ts'
import { fitsBodyMemory, countUntilSent } from './response-memory.ts'
import { RequestBodyStream, emptyBodyStream } from './body-stream.ts'
import { lingerAfterResponse } from '../connection/lingering-close.ts'
import type { ResolveProxies } from '../proxies/trusted-proxies.ts'
import type { ConnectionInfo } from '../proxies/connection-info.ts'
import { originOf, peerAddressOf } from '../proxies/connection-info.ts'
import type { EventLoopMonitor } from '../event-loop-monitor.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { sendChunks } from './send-chunks.ts'

/** What a connection tells of itself. */
export interface ServerContext {
  /** Whether the server is about to stop, so that the connection is closed behind this answer. */
  readonly isClosing: () => boolean
  /** Accepts no further requests on a connection. */
  readonly close: (socket: IncomingRequest['socket']) => void
  /** Octets that a client may still send behind an answer that did not need them. */
  readonly maxDiscardedBytes: number
  /** Fields of an answer after which the connection is kept. */
  readonly keepAliveHeaders: Headers
  /** Those that are trusted; `undefined` when none are. */
  readonly proxies: ResolveProxies | undefined
  readonly system: System
  /** Counts the bytes of bodies in memory, of all connections. */
  readonly memory: BodyMemory
  /** Is told of every answer. */
  readonly loopMonitor: EventLoopMonitor | undefined
}

/** There is one for each request, so its methods stand in the prototype. */
export class NodeExchange implements Exchange, InFlightRequest {
  readonly request: IncomingRequest
  readonly response: ServerResponse
  readonly method: string
  readonly headers: Headers
  readonly path: string
  readonly query: string | undefined
  readonly #authority: string | undefined
  #controller: AbortController | undefined = undefined
  /** A client that waits for 100 may never send its content, so the connection cannot be used for another request. */
  #waits: boolean
  #incoming: RequestBodyStream | undefined = undefined
  /** Ends the sources of streams that answer this request. */
  #streamEnds: ReadonlyArray<() => void> = none
  /** Whether a stream is being sent, or a file. */
  #isStreaming = false
  #isSendingFile = false
  #reservation: Reservation | undefined = undefined
  /** Runs while a handler works on the body of a client that has disconnected. */
  #abandoned: NodeJS.Timeout | undefined = undefined
  readonly #length: number
  readonly #chunked: boolean
  readonly #connection: ServerContext

  /** The target of the request, or why it is to be refused. */
  constructor(
    request: IncomingRequest,
    response: ServerResponse,
    head: RequestHead,
    received: RequestTarget | RequestFailure,
    connection: ServerContext,
  ) {
    const resource = received._tag === 'Resource' ? received : undefined
    this.request = request
    this.response = response
    this.method = request.method ?? ''
    this.headers = request.rawHeaders
    this.path = resource?.path ?? '*'
    this.query = resource?.query
    this.#authority = resource?.authority ?? head.host
    // in a request of HTTP/1.0 it means nothing (RFC 9110, 10.1.1)
    this.#waits = head.expects && request.httpVersion === '1.1'
    this.#length = head.length
    this.#chunked = head.coding !== undefined
    this.#connection = connection
  }

  origin(): string {
    return this.#forwarded?.origin ?? originOf(this.request.socket, this.#authority)
  }

  prefix(): string {
    return this.#forwarded?.prefix ?? ''
  }

  address(): string | undefined {
    return this.#forwarded?.address ?? peerAddressOf(this.request.socket)
  }

  get #forwarded(): ConnectionInfo | undefined {
    return this.#connection.proxies?.(this.request, this.#authority)
  }

  signal(): AbortSignal {
    return (this.#controller ??= abortedWith(this.request, this.response)).signal
  }

  onEnd(then: () => void): void {
    onResponseClose(this.request, this.response, then)
  }

  onStreamEnd(then: () => void): void {
    if (this.request.socket.readableEnded) return then()
    this.#streamEnds = [...this.#streamEnds, then]
    this.onEnd(then)
  }

  takeContent(limit: SizeLimit, then: (content: Uint8Array | RequestFailure) => void): void {
    if (this.#length > limit.bytes) return then(tooLarge(limit))
    if (!this.#chunked && this.#length === 0) {
      this.#continue()
      return then(emptyBody)
    }
    const reservation = (this.#reservation ??= new Reservation(this.#connection.memory))
    if (!reservation.admit(limit.bytes, this.#chunked ? undefined : this.#length))
      return then(reservation.rejected())
    this.#continue()
    this.request.readBody(limit, reservation, then)
  }

  takePieces(limit: SizeLimit): Intake | RequestFailure {
    if (this.#length > limit.bytes) return tooLarge(limit)
    const begin = (): void => this.#continue()
    // the stream of a request without content need not end
    if (!this.#chunked && this.#length === 0) return emptyBodyStream(begin)
    const { reservation } = this
    if (reservation.isFull) return reservation.rejected()
    this.#incoming = new RequestBodyStream(this.request, limit, begin, reservation)
    return this.#incoming
  }

  /** Created when something is counted that `takeContent` does not count. */
  get reservation(): Reservation {
    if (this.#reservation !== undefined) return this.#reservation
    const reservation = new Reservation(this.#connection.memory)
    this.#reservation = reservation
    this.onEnd(() => this.disconnected())
    return reservation
  }

  /**
   * Releases what a body holds when the connection is closed before the response. A complete body is in the hands of a handler,
   * which may go on for a while; one that never ends must not hold the memory forever.
   */
  disconnected(): void {
    const reservation = this.#reservation
    if (reservation === undefined || reservation.held === 0 || this.#abandoned !== undefined) return
    if (this.response.headersSent || !this.request.complete) {
      this.request.dropBody()
      return reservation.release()
    }
    this.#abandoned = setTimeout(() => reservation.release(), abandonedFor).unref()
  }

  followed(): void {
    if (this.#reservation !== undefined && this.#reservation.held > 0)
      this.onEnd(() => this.disconnected())
  }

  hasRoomFor(answer: Answer): boolean {
    // what the exchange holds is given back before the response is sent
    return fitsBodyMemory(answer, this, this.#connection.memory, this.#reservation?.held)
  }

  /** Asks a client for its content that waits to be asked; in the middle of an answer nobody can. */
  #continue(): void {
    if (this.#waits && !this.response.headersSent) this.response.writeContinue()
    this.#waits = false
  }

  get system(): System {
    return this.#connection.system
  }

  answer(answer: Answer): void {
    this.#send(answer, this.#connection.isClosing())
    this.#connection.loopMonitor?.record(this)
  }

  /** Refuses a request of which nothing more can be believed, and closes the connection. */
  reject(failure: RequestFailure): void {
    this.bodyFailed(failure)
    this.#linger()
    this.#send(refuse(failure, this, Problem.newInstanceUri()), true)
  }

  halfClosed(isLast: boolean): void {
    const { request, response } = this
    // announces that the connection is closed after this response, where its head is still to be sent
    if (isLast) response.shouldKeepAlive = false
    this.#controller?.abort()
    for (const end of this.#streamEnds) end()
    if (!this.#isStreaming) return
    // before its turn, it is the responses in front of it that are still sent
    if (response.socket === null) response.destroy()
    else request.socket.end()
  }

  expire(): void {
    const { response } = this
    if (!response.writableEnded && !this.#isSendingFile) response.destroy()
  }

  /** Nothing more of the content can come. */
  bodyFailed(failure: RequestFailure): void {
    this.#incoming?.discard(failure)
  }

  /**
   * Sends an answer, head and content in one write. A second answer is a defect that the client must not see, so it is
   * dropped; to a client that has gone, nothing is sent.
   */
  #send({ status, headers, content }: Answer, closing: boolean): void {
    const { request, response } = this
    if (this.#reservation !== undefined) this.#release(this.#reservation, content)
    if (response.headersSent || response.destroyed) {
      if (isPieces(content)) content.close()
      return
    }
    const isSilent = this.method === 'HEAD' || !Status.allowsBody(status)
    if (request.socket.readableEnded && !isSilent && isStream(content)) {
      // nothing is streamed to a client that has half-closed the connection
      content.close()
      response.destroy()
      return
    }
    const unread = this.#isUnread
    const closes =
      closing ||
      !response.shouldKeepAlive ||
      (unread &&
        (this.#waits || this.#chunked || this.#length > this.#connection.maxDiscardedBytes))
    const length = lengthOf(status, content)
    const sized = length !== undefined && status !== 204 && status !== 304
    // without a length, a connection of HTTP/1.0 ends with the answer
    const own = closes
      ? close
      : sized || response.useChunkedEncodingByDefault
        ? this.#connection.keepAliveHeaders
        : []
    response.writeHead(
      status,
      Status.reasonPhrase(status),
      sized ? [...headers, 'Content-Length', String(length), ...own] : [...headers, ...own],
    )
    if (isPieces(content)) this.#sendPieces(content, isSilent, closes)
    else {
      this.#end(isSilent ? undefined : chunkOf(content, length ?? 0), closes)
      if (response.writableLength > 0 && !isSilent)
        countUntilSent(length ?? 0, this, this.#connection.memory)
    }
  }

  /** Releases what the request holds, and what was held to make a response that is sent as a whole. */
  #release(reservation: Reservation, content: Answer['content']): void {
    clearTimeout(this.#abandoned)
    this.request.dropBody()
    if (!isPieces(content)) return reservation.release()
    reservation.endRequest()
    this.onEnd(() => reservation.release())
  }

  #sendPieces(pieces: Pieces, isSilent: boolean, closes: boolean): void {
    const { request, response } = this
    if (isSilent) {
      pieces.close()
      return this.#end(undefined, closes)
    }
    this.#isStreaming = isStream(pieces)
    this.#isSendingFile = !this.#isStreaming
    sendChunks(response, pieces, {
      end: () => {
        this.#isStreaming = false
        this.#end(undefined, closes)
      },
      onClose: (then) => {
        if (this.#isStreaming) this.onStreamEnd(then)
        else onResponseClose(request, response, then)
      },
      budget: this.system.turnBudget,
      memory: this.#connection.memory,
    })
  }

  #end(last: string | Uint8Array | undefined, closes: boolean): void {
    this.#incoming?.discard(undefined)
    if (closes && this.#isUnread) this.#linger()
    this.response.end(last, 'latin1')
  }

  /** Makes this response the last one, after which the rest of the request is read and discarded. */
  #linger(): void {
    this.#connection.close(this.request.socket)
    lingerAfterResponse(this.request)
  }

  /** Whether octets of the content have not arrived yet. */
  get #isUnread(): boolean {
    return !this.request.complete && (this.#chunked || this.#length > 0)
  }
}

const none: ReadonlyArray<never> = []

const close: Headers = ['Connection', 'close']

/** Milliseconds for which the body of a client that has disconnected counts while its handler has not ended. */
const abandonedFor = 10_000

const abortedWith = (request: IncomingRequest, response: ServerResponse): AbortController => {
  const controller = new AbortController()
  if (response.destroyed || request.socket.destroyed || request.socket.readableEnded)
    controller.abort()
  onResponseClose(request, response, () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller
}

/** `undefined` where it shows only at the end. */
const lengthOf = (status: number, content: Answer['content']): number | undefined =>
  content === undefined || !Status.allowsBody(status)
    ? 0
    : typeof content === 'string'
      ? Buffer.byteLength(content)
      : content.length

/**
 * What `latin1` writes as it is meant. Node writes a head in the encoding of a text behind it, and the octets of field values
 * are those of `latin1`. Text of ASCII takes up to a sixth less time of the processor so; other text is encoded before.
 */
const chunkOf = (
  content: string | Uint8Array | undefined,
  length: number,
): string | Uint8Array | undefined =>
  typeof content === 'string' && content.length !== length ? Buffer.from(content) : content
