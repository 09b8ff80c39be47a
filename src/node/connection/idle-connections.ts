/**
 * Closes idle connections. A timer checks all connections: one that has received and sent nothing since the previous check is idle. A
 * request itself costs nothing.
 *
 * The timeouts of `node:http` restart a timer of the connection several times per request, which takes up to a tenth of the CPU time
 * of a small response.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Timeouts in milliseconds. 0 disables a timeout. */
export interface IdleTimeouts {
  /** Within a request. */
  readonly idle: number
  /** Between two requests. If 0, `idle` applies. */
  readonly keepAlive: number
  /** While unsent bytes wait for the client. */
  readonly write: number
}

/** A further check of all connections. */
export interface ConnectionCheck {
  /** Maximum milliseconds between two checks. */
  readonly interval: number
  /** `bytesBefore` is the number of bytes that the connection had received at the previous check; 0 at the first check. */
  readonly check: (socket: Socket, now: number, bytesBefore: number) => void
}

/** Milliseconds beyond the announced keep-alive timeout: a request that a client sends just before the timeout is not lost. */
const keepAliveMargin = 1000

/** Maximum number of connections checked per turn of the event loop, in about 0.3 ms. */
const checksPerTurn = 500

/** Closes the idle connections of a server, from when it listens until its last connection closes. */
export const closeIdleConnections = (
  server: Server,
  { idle, keepAlive, write }: IdleTimeouts,
  isBetweenRequests: (socket: Socket) => boolean,
  additional?: ConnectionCheck,
): void => {
  const idleTimeout = idle === 0 ? Infinity : idle
  const keepAliveTimeout = keepAlive === 0 ? idleTimeout : keepAlive + keepAliveMargin
  const writeTimeout = write === 0 ? Infinity : write
  const minTimeout = Math.min(idleTimeout, keepAliveTimeout)
  // a connection stays open for at most a tenth of the timeout too long, and the checks of many connections cost almost nothing
  const tenth = Math.min(minTimeout, writeTimeout) / 10
  const interval = Math.max(50, Math.min(5000, tenth, additional?.interval ?? Infinity))
  if (tenth === Infinity && additional === undefined) return

  const connections = new Set<Activity>()
  server.on('connection', (socket: Socket) => {
    const activity = new Activity(socket)
    connections.add(activity)
    socket.once('close', () => connections.delete(activity))
  })

  const check = (activity: Activity, now: number): void => {
    const { socket } = activity
    additional?.check(socket, now, activity.bytesRead)
    const idleTime = activity.idleTime(now, idle)
    // after an orderly close, some clients would take the response for complete (RFC 9112, 6.3)
    if (activity.writeStallTime(now) >= writeTimeout) socket.resetAndDestroy()
    if (idleTime < minTimeout) return
    if (idleTime >= (isBetweenRequests(socket) ? keepAliveTimeout : idleTimeout)) socket.destroy()
  }
  let remaining: Iterator<Activity> | undefined
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
    remaining = connections.values()
    // after this turn has read from the sockets, requests that arrived while the loop was busy are known
    setImmediate(checkSome)
  }
  server.on('listening', () => {
    const timer = setInterval(checkAll, interval).unref()
    server.once('close', () => clearInterval(timer))
  })
}

/** A connection with its state at the previous check. */
class Activity {
  readonly socket: Socket
  #bytesRead = -1
  #bytesWritten = 0
  #activeTime = 0
  #hasUnsent = false
  #bytesSent = 0
  #sentTime = 0

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** Bytes that had been received at the previous check. */
  get bytesRead(): number {
    return Math.max(0, this.#bytesRead)
  }

  /**
   * Returns the milliseconds without traffic; 0 while bytes wait to be sent.
   *
   * In that case, the timer of the socket is set to `timeout`: Node.js knows how much of a large write the client has read.
   */
  idleTime(now: number, timeout: number): number {
    const { socket } = this
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

  /** Returns the milliseconds for which the client has read nothing, whatever it sends; 0 if no bytes wait to be sent. */
  writeStallTime(now: number): number {
    const { socket } = this
    const bytesSent = socket.writableLength > 0 ? bytesSentOn(socket) : -1
    if (bytesSent === -1 || bytesSent !== this.#bytesSent) this.#sentTime = now
    this.#bytesSent = bytesSent
    return now - this.#sentTime
  }
}

/** Returns the bytes that the system has taken. A large write is taken in parts, which only the handle of the socket knows. */
const bytesSentOn = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, '_handle')
  return hasWriteQueue(handle)
    ? handle.bytesWritten - handle.writeQueueSize
    : socket.bytesWritten - socket.writableLength
}

const hasWriteQueue = (
  handle: unknown,
): handle is { readonly bytesWritten: number; readonly writeQueueSize: number } =>
  typeof handle === 'object' &&
  handle !== null &&
  typeof Reflect.get(handle, 'bytesWritten') === 'number' &&
  typeof Reflect.get(handle, 'writeQueueSize') === 'number'
