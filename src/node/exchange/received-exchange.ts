/** Implements what exchanges over all versions of HTTP have in common, and declares the state of the server that they share. */
import type { Socket } from 'node:net'
import type { ClientCertificate } from '../../endpoint/context.ts'
import type { RejectionHeaders } from '../../compiler/filter-chain.ts'
import type { SizeLimit } from '../../compiler/settings/body-limit.ts'
import { bodyTooLarge } from '../../compiler/settings/body-limit.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import type { BodyStream, EncodedResponse, Exchange, Platform } from '../../interpreter/exchange.ts'
import type { BodyMemory } from '../../interpreter/memory-reservation.ts'
import type { BufferingExchange } from '../body-memory.ts'
import { RequestMemory, fitsBodyMemory, uncountedBytes } from '../body-memory.ts'
import type { EventLoopMonitor } from '../event-loop-monitor.ts'
import type { ConnectionInfo, ProxiedRequest, ResolveProxies } from '../proxies/trusted-proxies.ts'
import { originOf, peerAddressOf } from '../proxies/trusted-proxies.ts'
import type { RequestBodySource } from './request-body.ts'
import { RequestBodyStream, emptyBody, emptyBodyStream } from './request-body.ts'

/** The state of a server shutdown. */
export interface ShutdownState {
  /** Whether the server closes each connection after its next response. */
  readonly isClosing: boolean
}

/** The server state shared by all exchanges. */
export interface ServerContext {
  readonly shutdown: ShutdownState
  /** Maximum number of unread request body bytes that are discarded to keep the connection open. */
  readonly maxDiscardedBytes: number
  /** The headers added to each response that leaves an HTTP/1.1 connection open. */
  readonly keepAliveHeaders: Headers
  /** Determines the client address, origin and path prefix from proxy headers. `undefined` if no proxy is trusted. */
  readonly proxies: ResolveProxies | undefined
  /** Returns the certificate of the client on a connection. `undefined` if the server requests no certificates. */
  readonly clientCertificate: ((socket: Socket) => ClientCertificate | undefined) | undefined
  readonly platform: Platform
  /** Returns the headers of the filters at the root for a request that is rejected before routing. */
  readonly rejectionHeaders: RejectionHeaders
  /** Tracks how many body bytes the server holds in memory. */
  readonly memory: BodyMemory
  readonly loopMonitor: EventLoopMonitor | undefined
}

/** The properties of a request that determine how its target and body are read. */
export interface ReceivedRequest {
  readonly method: string
  readonly headers: Headers
  /** The value of the `Host` header, which applies if the request target has no authority. */
  readonly host: string | undefined
  readonly hasBody: boolean
  /** The length of the body in bytes, or `undefined` if it is unknown. */
  readonly length: number | undefined
  /**
   * Whether the client is waiting for 100 (Continue). If the server does not send 100, the client might never send the body, and
   * an HTTP/1.1 connection cannot be reused.
   */
  readonly awaitsContinue: boolean
}

/** An exchange whose request head has been received by a listener. Subclasses read and write the messages. */
export abstract class ReceivedExchange implements Exchange, BufferingExchange {
  readonly method: string
  readonly headers: Headers
  readonly path: string
  readonly query: string | undefined
  protected readonly server: ServerContext
  protected readonly hasBody: boolean
  protected readonly contentLength: number | undefined
  protected awaitsContinue: boolean
  protected bodyStream: RequestBodyStream | undefined = undefined
  protected requestMemory: RequestMemory | undefined = undefined
  /** Counts the bytes of response bodies that have not been sent. */
  protected readonly memory: BodyMemory
  readonly #authority: string | undefined

  /** `target` is the parsed request target, or the failure with which the request is rejected. */
  constructor(
    request: ReceivedRequest,
    target: RequestTarget | RequestFailure,
    server: ServerContext,
    memory: BodyMemory,
  ) {
    const resource = target._tag === 'Resource' ? target : undefined
    this.method = request.method
    this.headers = request.headers
    this.path = resource?.path ?? '*'
    this.query = resource?.query
    this.server = server
    this.hasBody = request.hasBody
    this.contentLength = request.length
    this.awaitsContinue = request.awaitsContinue
    this.memory = memory
    this.#authority = resource?.authority ?? request.host
  }

  abstract readonly socket: Socket
  abstract readonly isReceived: boolean
  /** Whether the head of the response has been sent. */
  abstract readonly hasResponded: boolean
  abstract readonly isQueued: boolean
  abstract signal(): AbortSignal
  abstract onEnd(callback: () => void): void
  abstract discardBody(): void
  /** Rejects the request because it is malformed or exceeds a limit, and makes the response the last one on the connection. */
  abstract reject(failure: RequestFailure): void

  /** The request as `trustedProxies` resolves it. The same object for each call. */
  protected abstract readonly proxied: ProxiedRequest
  /** The body of the request, for reading it as a stream. */
  protected abstract readonly bodySource: RequestBodySource
  /** Reads the whole body. `callback` is called at most once. */
  protected abstract bufferBody(
    limit: SizeLimit,
    memory: RequestMemory,
    callback: (body: Uint8Array | RequestFailure) => void,
  ): void
  /** Writes a 100 (Continue) response. */
  protected abstract writeContinue(): void
  /** Sends a response, unless another one has been sent or the client has disconnected. */
  protected abstract respond(response: EncodedResponse): void

  get platform(): Platform {
    return this.server.platform
  }

  /** The memory reservation of the request, created on first use. */
  get reservation(): RequestMemory {
    return (this.requestMemory ??= new RequestMemory(this.server.memory))
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

  readBody(limit: SizeLimit, callback: (body: Uint8Array | RequestFailure) => void): void {
    if (this.#exceeds(limit)) return callback(bodyTooLarge(limit))
    if (!this.hasBody) {
      this.#continue()
      return callback(emptyBody)
    }
    const memory = (this.requestMemory ??= new RequestMemory(this.server.memory))
    if (!memory.admit(limit.bytes, this.contentLength)) return callback(memory.rejected())
    this.#continue()
    this.bufferBody(limit, memory, callback)
  }

  streamBody(limit: SizeLimit): BodyStream | RequestFailure {
    if (this.#exceeds(limit)) return bodyTooLarge(limit)
    const onStart = (): void => this.#continue()
    // if a request has no body, its stream may never end
    if (!this.hasBody) return emptyBodyStream(onStart)
    const { reservation } = this
    if (reservation.isFull) return reservation.rejected()
    this.bodyStream = new RequestBodyStream(this.bodySource, limit, onStart, reservation)
    return this.bodyStream
  }

  hasRoomFor(response: EncodedResponse): boolean {
    const { body } = response
    if (body === undefined || (typeof body === 'string' && 3 * body.length <= uncountedBytes))
      return true
    // the memory reserved for the request is released before the response is sent
    return fitsBodyMemory(response, this, this.memory, this.requestMemory?.held)
  }

  send(response: EncodedResponse): void {
    this.respond(response)
    this.server.loopMonitor?.record(this)
  }

  #exceeds(limit: SizeLimit): boolean {
    return this.contentLength !== undefined && this.contentLength > limit.bytes
  }

  /** Sends 100 (Continue) if the client is waiting for it and the response has not started. */
  #continue(): void {
    if (this.awaitsContinue && !this.hasResponded) this.writeContinue()
    this.awaitsContinue = false
  }
}

/** Processes a request. `target` is the parsed request target, or the failure with which the request is rejected. */
export type Receive = (exchange: ReceivedExchange, target: RequestTarget | RequestFailure) => void
