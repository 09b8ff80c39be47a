/**
 * How a process ends that serves: on a signal, or on an error that nobody caught, its servers are closed first. It listens
 * once for all servers of the process, and not at all when none is left.
 */
import { constants } from 'node:os'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Signal } from './signal.ts'
import type { GracefulShutdown } from './stopping.ts'

/** A server that ends with its process. */
export interface RunningServer {
  readonly close: () => Promise<void>
  readonly shutdown: GracefulShutdown
  readonly logger: Logger
}

/** Milliseconds in which the same signal means the same wish: `npm` hands on a signal that its group has received already. */
const echo = 100

type Event = NodeJS.Signals | 'uncaughtException'

const serving = new Map<Event, Set<RunningServer>>()
let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined

/** Closes the server before the process ends, from now on; what is returned takes it back. */
export const closeOnExit = (
  signals: boolean | ReadonlyArray<Signal>,
  server: RunningServer,
): (() => void) => {
  const asked: ReadonlyArray<Signal> =
    typeof signals === 'boolean' ? (signals ? ['SIGTERM', 'SIGINT'] : []) : signals
  const events: ReadonlyArray<Event> = asked.length === 0 ? [] : [...asked, 'uncaughtException']
  for (const event of events) add(event, server)
  return () => {
    for (const event of events) remove(event, server)
  }
}

const add = (event: Event, server: RunningServer): void => {
  const others = serving.get(event)
  if (others !== undefined) {
    others.add(server)
    return
  }
  serving.set(event, new Set([server]))
  // in front of others, because one that listens once does not count any more when it has been called
  if (event === 'uncaughtException') process.prependListener(event, onUncaught)
  else process.prependListener(event, onSignal)
}

const remove = (event: Event, server: RunningServer): void => {
  const all = serving.get(event)
  if (all?.delete(server) !== true || all.size > 0) return
  serving.delete(event)
  process.off(event, event === 'uncaughtException' ? onUncaught : onSignal)
}

const onSignal = (signal: NodeJS.Signals): void => {
  const now = performance.now()
  if (first !== undefined) {
    if (signal === first.signal && now - first.at < echo) return
    // what a shell says of a process that a signal has ended
    process.exit(128 + (constants.signals[signal] ?? 0))
  }
  first = { signal, at: now }
  const others = process.listenerCount(signal) > 1
  const most = Math.max(0, ...servers(signal).map(({ shutdown }) => shutdown.deadline))
  void end(signal).then(() => {
    if (!others) process.exit()
    // the program is about to end itself; nothing waits for this but what would go on for ever
    setTimeout(() => process.exit(), most).unref()
  })
}

/** A program that listens to it itself decides itself. */
const onUncaught = (error: unknown): void => {
  if (process.listenerCount('uncaughtException') > 1) return
  console.error(error)
  process.exitCode = 1
  void end('uncaughtException').then(() => process.exit())
}

const servers = (event: Event): ReadonlyArray<RunningServer> => [...(serving.get(event) ?? [])]

/** Closes all servers; when one did not close as it should, the process will end with 1. */
const end = async (event: Event): Promise<void> => {
  const ends = servers(event).map(async ({ close, shutdown, logger }) => {
    try {
      await close()
      if (shutdown.destroyedConnections > 0) process.exitCode = 1
    } catch (error) {
      process.exitCode = 1
      logger.error({ err: error }, 'The server did not close as it should.')
    }
  })
  await Promise.all(ends)
}
