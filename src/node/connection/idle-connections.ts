/**
 * Closes connections on which nothing moves. All of them are looked at, now and then; one that has received and sent nothing
 * since it was last looked at stands still. A request does nothing for it.
 *
 * Why not the timeouts of `node:http`: they set a timer of the connection anew several times in each request, which is up to a
 * tenth of the processor's time that a small answer takes.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds for which a connection may stand still; 0 is without end. */
export interface IdleTimeouts {
  readonly idle: number
  /** Between two requests; when it is 0, `idle` counts there too. */
  readonly keepAlive: number
  /** While octets wait that the client does not take. */
  readonly write: number
}

/** Somebody who looks at all connections too, at least every so many milliseconds. */
export interface ConnectionCheck {
  readonly interval: number
  /** `before` is what the connection had read at the look before; 0 at the first. */
  readonly check: (socket: Socket, now: number, before: number) => void
}

/** Milliseconds beyond the limit that clients are told: a request that they send just before it is not lost. */
const margin = 1000

/** Connections looked at in one turn of the loop: a third of a millisecond. */
const inOneTurn = 500

/** Closes the idle connections of a server, from when it listens until its last connection is closed. */
export const closeIdleConnections = (
  server: Server,
  { idle, keepAlive, write }: IdleTimeouts,
  isBetweenRequests: (socket: Socket) => boolean,
  also?: ConnectionCheck,
): void => {
  const within = idle === 0 ? Infinity : idle
  const between = keepAlive === 0 ? within : keepAlive + margin
  const stalled = write === 0 ? Infinity : write
  const least = Math.min(within, between)
  // a tenth of the limit is what a connection may stay too long, and a look at very many costs next to nothing then
  const tenth = Math.min(least, stalled) / 10
  const interval = Math.max(50, Math.min(5000, tenth, also?.interval ?? Infinity))
  if (tenth === Infinity && also === undefined) return

  const open = new Set<Watched>()
  server.on('connection', (socket: Socket) => {
    const watched = new Watched(socket)
    open.add(watched)
    socket.once('close', () => open.delete(watched))
  })

  const look = (watched: Watched, now: number): void => {
    also?.check(watched.socket, now, watched.read)
    const still = watched.still(now, idle)
    // an orderly end would say to some that they have everything (RFC 9112, 6.3)
    if (watched.untaken(now) >= stalled) watched.socket.resetAndDestroy()
    if (still < least) return
    if (still >= (isBetweenRequests(watched.socket) ? between : within)) watched.socket.destroy()
  }
  let rest: Iterator<Watched> | undefined
  const lookAtSome = (): void => {
    const now = performance.now()
    for (let looks = 0; looks < inOneTurn; looks++) {
      const next = rest?.next()
      if (next === undefined || next.done === true) {
        rest = undefined
        return
      }
      look(next.value, now)
    }
    setImmediate(lookAtSome)
  }
  const lookAtAll = (): void => {
    if (rest !== undefined) return
    rest = open.values()
    // behind the reading of this turn: a request that has come while the loop was busy has then been seen
    setImmediate(lookAtSome)
  }
  server.on('listening', () => {
    const looking = setInterval(lookAtAll, interval).unref()
    server.once('close', () => clearInterval(looking))
  })
}

/** A connection, and what was last seen of it. */
class Watched {
  readonly socket: Socket
  #read = -1
  #written = 0
  #since = 0
  #sending = false
  #taken = 0
  #takenAt = 0

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** Octets that had been read when it was last looked at. */
  get read(): number {
    return Math.max(0, this.#read)
  }

  /**
   * Milliseconds for which nothing is known to have moved. While octets wait to be sent it is none, and Node's own timer counts:
   * it alone knows how much of a large write the client has taken.
   */
  still(now: number, idle: number): number {
    const { socket } = this
    const sending = socket.writableLength > 0
    if (sending !== this.#sending) socket.setTimeout(sending ? idle : 0)
    const read = socket.bytesRead
    const written = sending ? this.#written : socket.bytesWritten
    if (sending || this.#sending || read !== this.#read || written !== this.#written) {
      this.#since = now
    }
    this.#sending = sending
    this.#read = read
    this.#written = written
    return now - this.#since
  }

  /** Milliseconds for which the client has taken nothing of what waits for it; 0 while nothing does. Whatever it sends is no sign of life. */
  untaken(now: number): number {
    const { socket } = this
    const taken = socket.writableLength > 0 ? takenOf(socket) : -1
    if (taken === -1 || taken !== this.#taken) this.#takenAt = now
    this.#taken = taken
    return now - this.#takenAt
  }
}

/** Octets that the system has taken. Of one large write it takes part after part, which only the handle of the connection knows. */
const takenOf = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, '_handle')
  return hasQueue(handle)
    ? handle.bytesWritten - handle.writeQueueSize
    : socket.bytesWritten - socket.writableLength
}

const hasQueue = (
  handle: unknown,
): handle is { readonly bytesWritten: number; readonly writeQueueSize: number } =>
  typeof handle === 'object' &&
  handle !== null &&
  typeof Reflect.get(handle, 'bytesWritten') === 'number' &&
  typeof Reflect.get(handle, 'writeQueueSize') === 'number'
