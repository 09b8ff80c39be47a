/**
 * The open connections of a server, and their maximum number. All listeners of a server share them, so that the limit on connections, the timeouts and the
 * shutdown apply to the server as a whole.
 */
import { readFileSync, readdirSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import type { Percentage } from '../../compiler/settings/setting.ts'

/** Number of file descriptors reserved for responses and uploads, in addition to those that are open at startup. */
const reservedFiles = 8

/** Reports how many file descriptors a process can open and how many it has open. */
export interface Descriptors {
  /** Returns the maximum number of file descriptors, or `undefined` on systems other than Linux, where the maximum is unknown. */
  readonly limit: () => number | undefined
  readonly openCount: () => number
}

/**
 * Resolves `fw.http.limits.max-connections` to a number. Returns `undefined` if no maximum is configured. Also returns `undefined`
 * for a percentage if the maximum number of file descriptors is unknown.
 *
 * A percentage is relative to the maximum number of file descriptors. Even if that maximum is low, the result leaves room for open
 * files and for the reserved file descriptors. The result is at least 1.
 */
export const resolveMaxConnections = (
  configured: number | Percentage | undefined,
  descriptors: Descriptors = processDescriptors,
): number | undefined => {
  if (typeof configured !== 'object') return configured
  const limit = descriptors.limit()
  if (limit === undefined) return undefined
  const percentage = Math.floor((limit * configured.percent) / 100)
  return Math.max(1, Math.min(percentage, limit - descriptors.openCount() - reservedFiles))
}

const processDescriptors: Descriptors = {
  limit: () => {
    try {
      const limits = readFileSync('/proc/self/limits', 'utf8')
      const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? []
      return soft === undefined ? undefined : Number(soft)
    } catch {
      return undefined
    }
  },
  openCount: () => {
    try {
      return readdirSync('/proc/self/fd').length
    } catch {
      return 0
    }
  },
}

/** An application protocol, such as HTTP/1.1, that serves connections. */
export interface Protocol {
  /** Starts serving a connection. */
  readonly accept: (socket: Socket) => void
  /** Whether a connection has received at least one request, and has no request in progress. */
  readonly isBetweenRequests: (socket: Socket) => boolean
  /** A check that runs periodically on each connection, or `undefined`. */
  readonly check: ConnectionCheck | undefined
  /** Announces to clients that open connections accept no further requests. Called at the beginning of a shutdown. */
  readonly announceClose: () => void
  /** Closes the connections without a request in progress. Called repeatedly during a shutdown. */
  readonly closeIdleConnections: () => void
  /** Ends the timers of the protocol. Called when the last connection has closed. */
  readonly end: () => void
}

/** The protocols of a listener. */
export interface Protocols {
  readonly http1: Protocol
  /** `undefined` if HTTP/2 is off. */
  readonly http2: Protocol | undefined
}

/** A check that runs periodically on all connections of a protocol. */
export interface ConnectionCheck {
  /** Maximum time, in milliseconds, between two checks. */
  readonly interval: number
  /**
   * Checks a connection. `bytesBefore` is the number of bytes that the connection had received at the time of the previous check.
   * It is `0` at the first check.
   */
  readonly check: (socket: Socket, now: number, bytesBefore: number) => void
}

/** An open connection. */
export class Connection {
  /** The socket accepted by the listener. */
  readonly transport: Socket
  /** The socket on which requests are received. It differs from `transport` if the connection is encrypted. */
  socket: Socket
  /** The protocol of the connection, or `undefined` before it is known, such as during a TLS handshake. */
  protocol: Protocol | undefined = undefined

  constructor(transport: Socket) {
    this.transport = transport
    this.socket = transport
  }

  /** Starts serving the connection. */
  serve(protocol: Protocol, socket: Socket = this.transport): void {
    this.protocol = protocol
    this.socket = socket
    protocol.accept(socket)
  }
}

/** The open connections of all listeners. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #counts = new Map<Server, number>()
  readonly #maximum: number | undefined

  /** If `maximum` connections are open, further connections are closed as soon as they are accepted. */
  constructor(maximum: number | undefined) {
    this.#maximum = maximum
  }

  get size(): number {
    return this.#open.size
  }

  [Symbol.iterator](): IterableIterator<Connection> {
    return this.#open.values()
  }

  /** Returns the connection with a given transport, or `undefined` if it has closed. */
  get(transport: Socket): Connection | undefined {
    return this.#open.get(transport)
  }

  /** Adds the connections that a server accepts, and then calls `onConnection` for each. */
  observe(server: Server, onConnection: (connection: Connection) => void): void {
    this.#counts.set(server, 0)
    this.#limit()
    server.on('connection', (transport: Socket) => {
      const connection = new Connection(transport)
      this.#open.set(transport, connection)
      this.#count(server, 1)
      transport.on('close', () => {
        this.#open.delete(transport)
        this.#count(server, -1)
      })
      onConnection(connection)
    })
  }

  #count(server: Server, change: number): void {
    this.#counts.set(server, (this.#counts.get(server) ?? 0) + change)
    // with a single listener, its maximum does not change
    if (this.#counts.size > 1) this.#limit()
  }

  /** Sets the maximum of each server to the number of its connections plus the number of free connections. */
  #limit(): void {
    const maximum = this.#maximum
    if (maximum === undefined) return
    const free = Math.max(0, maximum - this.#open.size)
    for (const [server, count] of this.#counts)
      // Node.js 20 treats 0 as no limit
      server.maxConnections = count + free === 0 ? -1 : count + free
  }
}
