/**
 * Closes idle connections, and connections on which the client does not read the response. Also detects request bodies that arrive
 * too slowly.
 *
 * One timer per server checks the connections of all its listeners. The rate of a request body is measured from the beginning of
 * the body. Only the time that the server spends waiting for bytes is counted, because a client is not slow while the server is not
 * reading.
 */
import type { Socket } from 'node:net'
import { bytesSentOn } from '../internals.ts'
import type { Connection, ConnectionCheck } from './connections.ts'
import type { InFlightRequest } from './in-flight-requests.ts'
import { resetConnection } from './connection-end.ts'

/** Timeouts for connections, in milliseconds. `0` disables a timeout. */
export interface IdleTimeouts {
  /** Maximum time without traffic during a request. */
  readonly idle: number
  /** Maximum time between two requests. If this timeout is `0`, the `idle` timeout applies instead. */
  readonly keepAlive: number
  /** Maximum time during which the client accepts no bytes of a response. */
  readonly write: number
}

/**
 * Time, in milliseconds, added to the announced keep-alive timeout. Without it, a request sent just before the timeout could be
 * lost.
 */
const keepAliveMargin = 1000

/**
 * Maximum number of connections checked per turn (iteration) of the event loop. Checking this many connections takes about 0.3 ms.
 */
const checksPerTurn = 500

/**
 * Creates a monitor that closes connections which exceed a timeout, and runs the checks of their protocols. `checkInterval` is the
 * shortest interval of these checks, in milliseconds, or `undefined` if there are none.
 */
export const monitorConnections = (
  connections: Iterable<Connection>,
  { idle, keepAlive, write }: IdleTimeouts,
): {
  readonly start: (checkInterval: number | undefined) => void
  readonly stop: () => void
} => {
  const idleTimeout = idle === 0 ? Infinity : idle
  const keepAliveTimeout = keepAlive === 0 ? idleTimeout : keepAlive + keepAliveMargin
  const writeTimeout = write === 0 ? Infinity : write
  const minTimeout = Math.min(idleTimeout, keepAliveTimeout)

  const activities = new WeakMap<Connection, Activity>()
  const activityOf = (connection: Connection): Activity => {
    const existing = activities.get(connection)
    if (existing !== undefined) return existing
    const created = new Activity(connection)
    activities.set(connection, created)
    return created
  }
  const check = (connection: Connection, now: number): void => {
    const { socket, protocol } = connection
    const activity = activityOf(connection)
    protocol?.check?.check(socket, now, activity.bytesRead)
    const idleTime = activity.idleTime(now, idle)
    // the connection is reset, because some clients would consider the response complete after an orderly close (RFC 9112, 6.3)
    if (activity.writeStallTime(now) >= writeTimeout) resetConnection(socket)
    if (idleTime < minTimeout) return
    const isBetweenRequests = protocol?.isBetweenRequests(socket) ?? false
    if (idleTime >= (isBetweenRequests ? keepAliveTimeout : idleTimeout)) socket.destroy()
  }
  let remaining: Iterator<Connection> | undefined
  const checkSome = (): void => {
    const now = performance.now()
    for (let checks = 0; checks < checksPerTurn; checks++) {
      const next = remaining?.next()
      if (next === undefined || next.done === true) {
        remaining = undefined
        return
      }
      check(next.value, now)
    }
    setImmediate(checkSome)
  }
  const checkAll = (): void => {
    if (remaining !== undefined) return
    remaining = connections[Symbol.iterator]()
    // after the poll phase, requests that arrived while the loop was busy have been read
    setImmediate(checkSome)
  }
  let timer: NodeJS.Timeout | undefined
  return {
    start: (checkInterval) => {
      // a connection exceeds its timeout by at most a tenth, and the checks take almost no CPU time
      const tenth = Math.min(minTimeout, writeTimeout) / 10
      if (tenth === Infinity && checkInterval === undefined) return
      const interval = Math.max(50, Math.min(5000, tenth, checkInterval ?? Infinity))
      timer = setInterval(checkAll, interval).unref()
    },
    stop: () => clearInterval(timer),
  }
}

/** A connection and its state at the previous check. */
class Activity {
  readonly #connection: Connection
  #bytesRead = -1
  #bytesWritten = 0
  #activeTime = 0
  #hasUnsent = false
  #bytesSent = 0
  #sentTime = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Number of bytes received up to the previous check. */
  get bytesRead(): number {
    return Math.max(0, this.#bytesRead)
  }

  /**
   * Returns the time, in milliseconds, since the last traffic. Returns `0` if the socket has unsent bytes.
   *
   * While the socket has unsent bytes, this method sets its built-in timeout to `timeout`. Unlike the returned time, the built-in
   * timeout takes the progress of a large write into account.
   */
  idleTime(now: number, timeout: number): number {
    const { socket } = this.#connection
    const hasUnsent = socket.writableLength > 0
    if (hasUnsent !== this.#hasUnsent) socket.setTimeout(hasUnsent ? timeout : 0)
    const { bytesRead } = socket
    const bytesWritten = hasUnsent ? this.#bytesWritten : socket.bytesWritten
    const isActive =
      hasUnsent ||
      this.#hasUnsent ||
      bytesRead !== this.#bytesRead ||
      bytesWritten !== this.#bytesWritten
    if (isActive) this.#activeTime = now
    this.#hasUnsent = hasUnsent
    this.#bytesRead = bytesRead
    this.#bytesWritten = bytesWritten
    return now - this.#activeTime
  }

  /**
   * Returns the time, in milliseconds, since the operating system last accepted any of the unsent bytes. Returns `0` if there are
   * no unsent bytes. Bytes sent by the client do not reset this time.
   */
  writeStallTime(now: number): number {
    const { socket, transport } = this.#connection
    const bytesSent = socket.writableLength > 0 ? bytesSentOn(transport) : -1
    if (bytesSent === -1 || bytesSent !== this.#bytesSent) this.#sentTime = now
    this.#bytesSent = bytesSent
    return now - this.#sentTime
  }
}

/** The minimum rate is enforced once the server has spent this time, in milliseconds, waiting for bytes. */
export const gracePeriod = 5000

/** Time, in milliseconds, between two checks of the rate at which a request body arrives. */
const interval = gracePeriod / 2

/**
 * Creates a check that calls `onSlow` if a request body arrives at less than `rate` bytes per second. Returns `undefined` if `rate`
 * is `0`.
 */
export const monitorBodyRate = (
  rate: number,
  latest: (socket: Socket) => InFlightRequest | undefined,
  onSlow: (socket: Socket) => void,
): ConnectionCheck | undefined => {
  if (rate === 0) return undefined
  const isSlow = createRateCheck(rate)
  return {
    interval,
    check: (socket, now, bytesBefore) => {
      const request = latest(socket)
      if (request !== undefined && isSlow(request, socket.bytesRead, now, bytesBefore))
        onSlow(socket)
    },
  }
}

/** The progress of a request body, as measured by the rate check. */
interface Progress {
  /** Number of bytes that the connection had received before the measurement started. */
  readonly startBytes: number
  /** Total time, in milliseconds, that the server has spent waiting for bytes. */
  waited: number
  /** The time of the previous check if the server was waiting for bytes then, otherwise `undefined`. */
  waitingSince: number | undefined
}

/** The properties of a request that the rate check uses. */
export type BodyState = Pick<InFlightRequest, 'isReceived' | 'isAwaitingBody' | 'hasResponded'>

/**
 * Creates a function that determines whether a request body is arriving too slowly. The function must be called each time the
 * connection is checked.
 *
 * `bytes` is the number of bytes that the connection has received so far, and `bytesBefore` is this number at the previous check.
 * The function returns `false` once the response has started. An interval between two checks counts as at most 5 s of waiting time,
 * because longer intervals occur only if the event loop is busy.
 */
export const createRateCheck = (
  rate: number,
): ((state: BodyState, bytes: number, now: number, bytesBefore: number) => boolean) => {
  const progressOf = new WeakMap<BodyState, Progress>()
  return (request, bytes, now, bytesBefore) => {
    if (request.isReceived || request.hasResponded) return false
    const { isAwaitingBody } = request
    const progress = progressOf.get(request)
    if (progress === undefined) {
      if (isAwaitingBody)
        progressOf.set(request, { startBytes: bytesBefore, waited: 0, waitingSince: now })
      return false
    }
    if (isAwaitingBody && progress.waitingSince !== undefined)
      progress.waited += Math.min(now - progress.waitingSince, 2 * interval)
    progress.waitingSince = isAwaitingBody ? now : undefined
    return (
      progress.waited >= gracePeriod &&
      (bytes - progress.startBytes) * 1000 < rate * progress.waited
    )
  }
}
