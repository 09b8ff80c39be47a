/**
 * Graceful shutdown of a server, which loses no request:
 *
 * ```text
 * fw.shutdown.delay     the server works as before, but `context.application.stopping` is aborted, and readiness checks fail
 * fw.shutdown.grace     every response carries `Connection: close`, until no connection is left
 * fw.shutdown.timeout   the server stops listening; pending connections are accepted and served; idle ones are closed after up to
 *                       half a second without traffic; busy ones are destroyed at the end
 * fw.shutdown.timeout   `onClose` of the application runs
 * ```
 *
 * `server.close()` of `node:http` is not enough: it waits forever for busy keep-alive connections, closes idle ones whose clients
 * are about to send, and stops enforcing the timeouts of incomplete requests. Node.js also does not count connections as idle that
 * have never sent anything, and does not close connections that it has detached (CONNECT). So connections are tracked here.
 */
import { setMaxListeners } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { stopListening } from './stop-listening.ts'

export class GracefulShutdown {
  readonly #settings: Settings
  readonly #logger: Logger
  readonly #onClose: () => unknown
  readonly #controller = new AbortController()
  #isClosing = false
  #destroyedConnections = 0
  #resolveEnded: () => void = () => undefined
  /** Resolves at the end of the shutdown, whether or not it failed. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#resolveEnded = resolve
  })

  constructor(settings: Settings, logger: Logger, onClose: () => unknown) {
    this.#settings = settings
    this.#logger = logger
    this.#onClose = onClose
    // every open stream may listen
    setMaxListeners(0, this.#controller.signal)
  }

  /** Aborts when the shutdown begins. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether every response is the last one on its connection. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Number of connections that were destroyed because they were still busy after the timeout. */
  get destroyedConnections(): number {
    return this.#destroyedConnections
  }

  /** `fw.shutdown.timeout` in milliseconds. */
  get timeout(): number {
    return this.#settings['fw.shutdown.timeout']
  }

  /** Returns a function that shuts down the server. Call this before the server accepts connections. */
  closeFunction(server: Server): () => Promise<void> {
    const connections = trackConnections(server)
    const run = async (): Promise<void> => {
      const { timeout } = this
      const { 'fw.shutdown.delay': delay, 'fw.shutdown.grace': grace } = this.#settings
      this.#controller.abort()
      if (delay > 0) await wait(delay)
      this.#isClosing = true
      this.#destroyedConnections = await drain(server, connections, { grace, timeout })
      if (this.#destroyedConnections > 0)
        this.#logger.warn(
          { connections: this.#destroyedConnections },
          'Destroyed open connections after fw.shutdown.timeout',
        )
      await runWithin(timeout, this.#onClose)
    }
    let closed: Promise<void> | undefined
    return () => (closed ??= run().finally(this.#resolveEnded))
  }
}

/** Runs a function, and rejects if it takes longer than `timeout` milliseconds. */
const runWithin = async (timeout: number, run: () => unknown): Promise<void> => {
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

interface DrainTimes {
  /** Milliseconds for which open connections are served. */
  readonly grace: number
  /** Milliseconds after the grace period until open connections are destroyed. */
  readonly timeout: number
}

/** Milliseconds between checks for idle connections. */
const checkInterval = 50

/** Milliseconds without traffic before idle connections are closed: a request may be on its way. */
const maxQuietTime = 500

/** Returns a live set of the open connections of a server. */
const trackConnections = (server: Server): ReadonlySet<Socket> => {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

/** Serves open connections until they are closed. Resolves to the number of destroyed connections. */
const drain = async (
  server: Server,
  connections: ReadonlySet<Socket>,
  { grace, timeout }: DrainTimes,
): Promise<number> => {
  // monotonic, because the time of day may be changed meanwhile
  const graceEnd = performance.now() + grace
  const quietTime = Math.min(maxQuietTime, timeout / 2)
  const isDone = (): boolean => connections.size === 0
  await until(isDone, graceEnd - quietTime)
  const bytesBefore = new Map([...connections].map((socket) => [socket, socket.bytesRead]))
  await until(isDone, graceEnd)

  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()))
  await stopListening(server)
  let destroyed = 0
  const destroyTimer = setTimeout(() => {
    destroyed = connections.size
    for (const socket of connections) socket.destroy()
  }, timeout)
  const isActive = (socket: Socket): boolean =>
    grace > 0 ? bytesBefore.get(socket) !== socket.bytesRead : socket.bytesRead === 0
  if ([...connections].some(isActive)) await until(isDone, performance.now() + quietTime)

  const closeIdle = (): void => {
    server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  // bytes that have arrived are read before the check phase of the event loop
  setImmediate(closeIdle)
  const checkTimer = setInterval(() => setImmediate(closeIdle), checkInterval)
  await closed
  clearInterval(checkTimer)
  clearTimeout(destroyTimer)
  // ends the timeout checks of `node:http`
  server.close()
  return destroyed
}

/** Resolves when a condition holds, or at a time of `performance.now()`. */
const until = async (holds: () => boolean, end: number): Promise<void> => {
  for (let left = end - performance.now(); left > 0 && !holds(); left = end - performance.now())
    await wait(Math.min(checkInterval, left))
}
