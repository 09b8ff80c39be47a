/**
 * Closes all servers in the process after a signal or an uncaught error, and then ends the process.
 *
 * A single listener for each event serves all servers. The listener is removed when all servers have closed.
 */
import { constants } from 'node:os'
import type { Logger } from '../../compiler/settings/logger.ts'

/** A signal that `serve` can handle by closing its server. */
export type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR2' | 'SIGBREAK'

/** A server that is closed before the process ends. */
export interface RunningServer {
  readonly close: () => Promise<void>
  /**
   * The state of the server shutdown. The `GracefulShutdown` class is not used as the type, because its declaration requires the
   * Node.js types.
   */
  readonly shutdown: { readonly timeout: number; readonly destroyedConnections: number }
  readonly logger: Logger
}

/**
 * Time, in milliseconds, during which a repeated signal is ignored. `npm` forwards signals that the process has already received
 * through its process group.
 */
const repeatInterval = 100

type ExitEvent = NodeJS.Signals | 'uncaughtException'

const serversByEvent = new Map<ExitEvent, Set<RunningServer>>()

/** The signal that started the shutdown, and the time at which it was received. */
let firstSignal: { readonly signal: NodeJS.Signals; readonly time: number } | undefined

/**
 * Registers a server to be closed after a signal or an uncaught exception. If `signals` is `true`, the signals are `SIGTERM` and
 * `SIGINT`. If it is `false` or `[]`, the server is not registered.
 *
 * Returns a function that unregisters the server.
 */
export const closeOnExit = (
  signals: boolean | ReadonlyArray<Signal>,
  server: RunningServer,
): (() => void) => {
  const configured: ReadonlyArray<Signal> =
    typeof signals === 'boolean' ? (signals ? ['SIGTERM', 'SIGINT'] : []) : signals
  const events: ReadonlyArray<ExitEvent> =
    configured.length === 0 ? [] : [...configured, 'uncaughtException']
  for (const event of events) add(event, server)
  return () => {
    for (const event of events) remove(event, server)
  }
}

const add = (event: ExitEvent, server: RunningServer): void => {
  const servers = serversByEvent.get(event)
  if (servers !== undefined) {
    servers.add(server)
    return
  }
  serversByEvent.set(event, new Set([server]))
  // the listener is prepended, because a `once` listener of the program would no longer be counted after its call
  if (event === 'uncaughtException') process.prependListener(event, onUncaught)
  else process.prependListener(event, onSignal)
}

const remove = (event: ExitEvent, server: RunningServer): void => {
  const servers = serversByEvent.get(event)
  if (servers?.delete(server) !== true || servers.size > 0) return
  serversByEvent.delete(event)
  process.off(event, event === 'uncaughtException' ? onUncaught : onSignal)
}

/** Closes all servers, then ends the process. A second signal ends the process immediately. */
const onSignal = (signal: NodeJS.Signals): void => {
  const now = performance.now()
  if (firstSignal !== undefined) {
    if (signal === firstSignal.signal && now - firstSignal.time < repeatInterval) return
    // the exit code that a shell reports for a process killed by a signal
    process.exit(128 + (constants.signals[signal] ?? 0))
  }
  firstSignal = { signal, time: now }
  const hasOtherListeners = process.listenerCount(signal) > 1
  const timeout = Math.max(0, ...serversOf(signal).map(({ shutdown }) => shutdown.timeout))
  void closeAll(signal).then(() => {
    if (!hasOtherListeners) void exitAfterOutput()
    // a program with its own listener ends the process itself; if it does not, the process exits after the timeout
    else setTimeout(() => process.exit(), timeout).unref()
  })
}

/**
 * Logs the error, closes all servers, and exits with code 1. Does nothing if the program has its own `uncaughtException` listener.
 */
const onUncaught = (error: unknown): void => {
  if (process.listenerCount('uncaughtException') > 1) return
  console.error(error)
  process.exitCode = 1
  void closeAll('uncaughtException').then(exitAfterOutput)
}

/** Time, in milliseconds, to wait for the readers of standard output and standard error before the process exits. */
const outputTimeout = 2000

/** Exits after the output has been written. If the reader of a pipe is slow, `process.exit` would discard the rest. */
export const exitAfterOutput = async (): Promise<void> => {
  const timer = setTimeout(() => process.exit(), outputTimeout)
  await Promise.all([process.stdout, process.stderr].map(written))
  clearTimeout(timer)
  process.exit()
}

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.writableLength === 0) resolve()
    else stream.write('', () => resolve())
  })

const serversOf = (event: ExitEvent): ReadonlyArray<RunningServer> => [
  ...(serversByEvent.get(event) ?? []),
]

/** Closes all servers that are registered for an event. */
const closeAll = (event: ExitEvent): Promise<void> => closeServers(serversOf(event))

/** Closes servers. Sets the exit code to 1 if a server failed to close or had to destroy connections. Never rejects. */
export const closeServers = async (servers: ReadonlyArray<RunningServer>): Promise<void> => {
  const closed = servers.map(async ({ close, shutdown, logger }) => {
    try {
      await close()
      if (shutdown.destroyedConnections > 0) process.exitCode = 1
    } catch (error) {
      process.exitCode = 1
      logger.error({ err: error }, 'Server failed to close')
    }
  })
  await Promise.all(closed)
}
