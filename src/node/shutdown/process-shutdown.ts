/**
 * Closes servers before the process ends because of a signal or an uncaught error.
 *
 * The process has one listener per event for all its servers, and none when all servers are closed.
 */
import { constants } from 'node:os'
import type { Logger } from '../../compiler/settings/logger.ts'

/** A signal at which `serve` can close a server. */
export type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR2' | 'SIGBREAK'

/** A server that is closed with its process. */
export interface RunningServer {
  readonly close: () => Promise<void>
  /** The state of its shutdown. Declared without the class, because the package's declarations must not need those of Node.js. */
  readonly shutdown: { readonly timeout: number; readonly destroyedConnections: number }
  readonly logger: Logger
}

/** Milliseconds in which a repeated signal is ignored: `npm` forwards signals that its process group has already received. */
const repeatInterval = 100

type Event = NodeJS.Signals | 'uncaughtException'

const serversByEvent = new Map<Event, Set<RunningServer>>()
let firstSignal: { readonly signal: NodeJS.Signals; readonly time: number } | undefined

/**
 * Registers a server to be closed at the given signals and at uncaught errors. `true` stands for SIGTERM and SIGINT, `false` for none.
 *
 * Returns a function that unregisters the server.
 */
export const closeOnExit = (
  signals: boolean | ReadonlyArray<Signal>,
  server: RunningServer,
): (() => void) => {
  const configured: ReadonlyArray<Signal> =
    typeof signals === 'boolean' ? (signals ? ['SIGTERM', 'SIGINT'] : []) : signals
  const events: ReadonlyArray<Event> =
    configured.length === 0 ? [] : [...configured, 'uncaughtException']
  for (const event of events) add(event, server)
  return () => {
    for (const event of events) remove(event, server)
  }
}

const add = (event: Event, server: RunningServer): void => {
  const servers = serversByEvent.get(event)
  if (servers !== undefined) {
    servers.add(server)
    return
  }
  serversByEvent.set(event, new Set([server]))
  // first, because a `once` listener of the program is no longer counted after it was called
  if (event === 'uncaughtException') process.prependListener(event, onUncaught)
  else process.prependListener(event, onSignal)
}

const remove = (event: Event, server: RunningServer): void => {
  const servers = serversByEvent.get(event)
  if (servers?.delete(server) !== true || servers.size > 0) return
  serversByEvent.delete(event)
  process.off(event, event === 'uncaughtException' ? onUncaught : onSignal)
}

/** Closes all servers, then ends the process. A second signal ends it at once. */
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
    if (!hasOtherListeners) process.exit()
    // a program with a listener of its own ends itself, or is ended after the timeout
    setTimeout(() => process.exit(), timeout).unref()
  })
}

/** Closes all servers and exits with 1, unless the program has a listener of its own. */
const onUncaught = (error: unknown): void => {
  if (process.listenerCount('uncaughtException') > 1) return
  console.error(error)
  process.exitCode = 1
  void closeAll('uncaughtException').then(() => process.exit())
}

const serversOf = (event: Event): ReadonlyArray<RunningServer> => [
  ...(serversByEvent.get(event) ?? []),
]

/** Closes all servers. Sets the exit code 1 if a server failed to close, or had to destroy connections. */
const closeAll = async (event: Event): Promise<void> => {
  const closed = serversOf(event).map(async ({ close, shutdown, logger }) => {
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
