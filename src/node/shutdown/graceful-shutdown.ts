/**
 * Shuts down a server and all its listeners gracefully, without dropping requests. The shutdown has the following phases, each listed with the setting
 * for its duration:
 *
 * ```text
 * fw.shutdown.delay     requests are served as before; `context.application.stopping` is aborted, so readiness checks fail
 * fw.shutdown.grace     every response has `Connection: close`, or GOAWAY is sent (HTTP/2); the phase ends early when all connections are closed
 * fw.shutdown.timeout   the server stops listening; queued connections are accepted and served; idle connections are closed after
 *                       up to 500 ms without traffic; busy connections are destroyed at the end
 * fw.shutdown.timeout   the application's `onClose` function runs
 * ```
 *
 * This module closes connections itself, because `server.close()` in `node:http` has the following limitations:
 *
 * - It waits indefinitely for busy keep-alive connections.
 * - It closes idle connections whose clients may be about to send a request.
 * - It stops enforcing the timeouts for incomplete requests.
 * - It does not close connections on which no byte has been received, or connections that Node.js has detached (CONNECT).
 */
import type { Server as NetServer, Socket } from 'node:net'
import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { Connection } from '../connection/connections.ts'
import type { Listener, Listeners } from '../listener/listen.ts'

/**
 * Maximum time, in milliseconds, for accepting queued connections. If clients that do not wait for responses connect all the time,
 * some connections are lost.
 */
const maxAcceptTime = 1000

/** Maximum part of a turn, in milliseconds, that counts as quiet. In a longer turn, the processes may not have run. */
const maxQuietTurn = 5

/**
 * Time, in milliseconds, that must pass without a new connection before the queue is assumed to be empty. Ignored if there were no
 * queued connections.
 */
const minQuietTime = 10

/**
 * The same after a grace period in which clients have connected. Clients whose requests wait open no further connections, so this is the
 * time by which other processes may delay a client. With 10 ms and 150 clients on a busy machine, 19 of 383,974 requests were lost.
 */
const minQuietTimeUnderLoad = 100

/** The queue of connections that wait to be accepted. */
export interface ConnectionQueue {
  /** Waits until the connections that have arrived are accepted, or some of them if there are several. */
  readonly poll: () => Promise<void>
  /**
   * Maximum duration, in milliseconds, of a call of `poll` that counts as idle. The server stops listening after such a call. A
   * connection that arrives later is lost, unless another process listens on the same port.
   */
  readonly idleTurn: number
  /**
   * Called after the server has stopped listening. Waits until the other processes that shut down at the same time have stopped
   * listening on the port, or one second.
   */
  readonly released: () => Promise<void>
}

/** The queue of a process that listens itself. A turn (iteration) of the event loop includes a poll phase. */
const ownQueue: ConnectionQueue = {
  poll: () => new Promise((resolve) => setImmediate(resolve)),
  idleTurn: 0.1,
  released: () => Promise.resolve(),
}

/**
 * Makes a server hold the connections that it accepts from now on, without reading them or calling its listeners. Returns a function that
 * serves them, which is called when the server has stopped listening.
 */
const holdConnections = (server: NetServer, onAccept: () => void): (() => void) => {
  const held: Socket[] = []
  const listeners = server.rawListeners('connection')
  server.removeAllListeners('connection').on('connection', (socket) => {
    held.push(socket)
    onAccept()
  })
  Reflect.set(server, 'pauseOnConnect', true)
  return () => {
    // Node.js could not resume the sockets that it creates for encrypted connections
    Reflect.set(server, 'pauseOnConnect', false)
    for (const socket of held) {
      for (const listener of listeners) Reflect.apply(listener, server, [socket])
      socket.resume()
    }
  }
}

/**
 * Accepts all queued connections, then stops listening. Resolves when no server is listening. The connections are held until then,
 * because a client that receives a response might open another connection.
 */
const stopListening = async (
  listeners: ReadonlyArray<Listener>,
  queue = ownQueue,
  isUnderLoad = false,
): Promise<void> => {
  const quietTime = isUnderLoad ? minQuietTimeUnderLoad : minQuietTime
  let accepted = 0
  const serveHeld = listeners.map(({ server }) => holdConnections(server, () => void accepted++))
  const start = performance.now()
  let quiet = 0
  for (let now = start; now - start < maxAcceptTime;) {
    const before = accepted
    // the poll phase of this turn does not block, and reports a queued connection
    await queue.poll()
    const turn = performance.now() - now
    now += turn
    quiet = accepted > before ? 0 : quiet + Math.min(turn, maxQuietTurn)
    const isEmpty = turn < queue.idleTurn && (accepted === 0 || quiet >= quietTime)
    if (accepted === before && (isUnderLoad ? quiet >= quietTime : isEmpty)) break
  }
  for (const { server } of listeners) server.close()
  await queue.released()
  for (const serve of serveHeld) serve()
}

/** Shuts down one server gracefully. */
export class GracefulShutdown {
  readonly #settings: Settings
  readonly #logger: Logger
  readonly #onClose: () => unknown
  readonly #queue: ConnectionQueue | undefined
  readonly #controller = new AbortController()
  #skipsDelay = false
  /** Whether the server closes each connection after its next response. */
  isClosing = false
  /** Number of connections that were destroyed because they were still busy when the timeout expired. */
  destroyedConnections = 0
  #resolveEnded: () => void = () => undefined
  /** Resolves at the end of the shutdown, even if the shutdown fails. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#resolveEnded = resolve
  })

  /** Without a `queue`, the process accepts connections itself. */
  constructor(settings: Settings, logger: Logger, onClose: () => unknown, queue?: ConnectionQueue) {
    this.#queue = queue
    this.#settings = settings
    this.#logger = logger
    this.#onClose = onClose
    // each open stream may add a listener
    setMaxListeners(0, this.#controller.signal)
  }

  /** A signal that aborts when the shutdown begins. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The value of `fw.shutdown.timeout`, in milliseconds. */
  get timeout(): number {
    return this.#settings['fw.shutdown.timeout']
  }

  /**
   * Makes the server stop listening when the shutdown begins, without `fw.shutdown.delay`. Called if other processes continue to
   * accept connections on the same port.
   */
  skipDelay(): void {
    this.#skipsDelay = true
  }

  /** Returns a function that shuts down a server with all its listeners. */
  closeFunction(listeners: Listeners): () => Promise<void> {
    const run = async (): Promise<void> => {
      const { timeout } = this
      const { 'fw.shutdown.delay': delay, 'fw.shutdown.grace': grace } = this.#settings
      this.#controller.abort()
      if (delay > 0 && !this.#skipsDelay) await wait(delay)
      this.isClosing = true
      if (this.#skipsDelay) await stopListening(listeners.listeners, this.#queue)
      this.destroyedConnections = await drain(listeners, grace, timeout, this.#queue)
      if (this.destroyedConnections > 0)
        this.#logger.warn(
          { connections: this.destroyedConnections },
          'fw.shutdown.timeout expired: the connections that were still open have been destroyed',
        )
      await runWithin(timeout, this.#onClose)
    }
    let closed: Promise<void> | undefined
    return () => (closed ??= run().finally(this.#resolveEnded))
  }
}

/** Calls a function and waits for its result. Rejects if the function takes longer than `timeout` milliseconds. */
export const runWithin = async (timeout: number, run: () => unknown): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`onClose did not finish within ${timeout} ms (fw.shutdown.timeout)`)),
      timeout,
    )
  })
  try {
    await Promise.race([run(), expired])
  } finally {
    clearTimeout(timer)
  }
}

/** Time, in milliseconds, between two checks for idle connections. */
const checkInterval = 50

/**
 * Maximum time, in milliseconds, to wait before idle connections are closed. Requests that are in transit can arrive during this
 * time.
 */
const maxQuietTime = 500

/**
 * Serves open connections for `grace` milliseconds, and then for up to `timeout` milliseconds until they are closed. Resolves to the
 * number of connections that had to be destroyed.
 */
const drain = async (
  { listeners, protocols, core }: Listeners,
  grace: number,
  timeout: number,
  queue: ConnectionQueue | undefined,
): Promise<number> => {
  const { connections } = core
  for (const protocol of protocols) protocol.announceClose()
  /** Whether clients have connected since the beginning, possibly without having a connection at the moment. */
  let hasAccepted = false
  for (const { server } of listeners) server.once('connection', () => (hasAccepted = true))
  // a monotonic clock is used, because the system time may change
  const graceEnd = performance.now() + grace
  const quietTime = Math.min(maxQuietTime, timeout / 2)
  const isDone = (): boolean => connections.size === 0
  await until(isDone, graceEnd - quietTime)
  const bytesBefore = new Map(
    [...connections].map((connection) => [connection, connection.socket.bytesRead]),
  )
  await until(isDone, graceEnd)

  const closed = Promise.all(
    listeners.map(({ server }) => new Promise((resolve) => server.once('close', resolve))),
  )
  const isUnderLoad = grace > 0 && (hasAccepted || connections.size > 0)
  await stopListening(listeners, queue, isUnderLoad)
  let destroyed = 0
  const destroyTimer = setTimeout(() => {
    destroyed = connections.size
    for (const { socket } of connections) socket.destroy()
  }, timeout)
  const isActive = (connection: Connection): boolean =>
    grace > 0
      ? bytesBefore.get(connection) !== connection.socket.bytesRead
      : connection.socket.bytesRead === 0
  if ([...connections].some(isActive)) await until(isDone, performance.now() + quietTime)

  const closeIdle = (): void => {
    for (const protocol of protocols) protocol.closeIdleConnections()
    for (const { socket } of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  // bytes that have arrived are read before the check phase of the event loop
  setImmediate(closeIdle)
  const checkTimer = setInterval(() => setImmediate(closeIdle), checkInterval)
  await closed
  clearInterval(checkTimer)
  clearTimeout(destroyTimer)
  for (const protocol of protocols) protocol.end()
  core.stop()
  return destroyed
}

/** Resolves when a condition becomes true or when `performance.now()` reaches `end`. */
export const until = async (holds: () => boolean, end: number): Promise<void> => {
  for (let left = end - performance.now(); left > 0 && !holds(); left = end - performance.now())
    await wait(Math.min(checkInterval, left))
}
