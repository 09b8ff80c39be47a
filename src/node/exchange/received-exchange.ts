/** Exchanges whose request head has been received by a listener, and the state of the server that they share. */
import type { Socket } from 'node:net'
import type { ClientCertificate } from '../../endpoint/context.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import type { RejectionHeaders } from '../../compiler/filter-chain.ts'
import type { Exchange, Platform } from '../../interpreter/exchange.ts'
import type { BodyMemory } from '../../interpreter/memory-reservation.ts'
import type { EventLoopMonitor } from '../event-loop-monitor.ts'
import type { ResolveProxies } from '../proxies/trusted-proxies.ts'

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

/** An exchange whose request head has been received by a listener. */
export interface ReceivedExchange extends Exchange {
  /** Whether the head of the response has been sent. */
  readonly hasResponded: boolean
  /** Rejects the request because it is malformed or exceeds a limit, and makes the response the last one on the connection. */
  reject(failure: RequestFailure): void
}

/** Processes a request. `target` is the parsed request target, or the failure with which the request is rejected. */
export type Receive = (exchange: ReceivedExchange, target: RequestTarget | RequestFailure) => void
