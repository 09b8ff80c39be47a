/** The role of an instance: reports to the parent process, and shuts down when the parent process requests it or ends. */
import cluster from 'node:cluster'
import type { Logger } from '../../compiler/settings/logger.ts'
import { sharedJsonLogger } from '../log/json-logger.ts'
import type { LogSettings } from '../log/text-logger.ts'
import { createLogger } from '../log/text-logger.ts'
import type { ConnectionQueue } from '../shutdown/graceful-shutdown.ts'
import type { RunningServer } from '../shutdown/process-shutdown.ts'
import { closeServers, exitAfterOutput } from '../shutdown/process-shutdown.ts'
import type { FromInstance, ListeningServer } from './instance-messages.ts'
import { LineOutput } from './line-output.ts'
import { failureOf, instanceVariable, isToInstance } from './instance-messages.ts'

/** Maximum time, in milliseconds, to wait until the other instances have stopped listening. */
const maxReleaseTime = 1000

/** The parts of a server that an instance shuts down. */
export interface InstanceServer extends RunningServer {
  readonly shutdown: RunningServer['shutdown'] & {
    /** Shuts down without `fw.shutdown.delay`, because other instances accept new connections. */
    readonly skipDelay: () => void
  }
}

const send = (message: FromInstance): Promise<void> =>
  new Promise((resolve) => {
    if (!process.connected || process.send === undefined) return resolve()
    process.send(message, undefined, undefined, () => resolve())
  })

/** A process that serves requests for a parent process. */
export type Instance = ReturnType<typeof createInstance>

/** Creates the instance of this process. */
const createInstance = (number: number) => {
  const servers = new Set<InstanceServer>()
  const polls: Array<() => void> = []
  /** Called when no other instance listens any more, or when the others continue to accept connections. */
  const releases: Array<() => void> = []
  let reported = 0

  const shutDown = async (isReplaced: boolean): Promise<void> => {
    if (isReplaced) for (const { shutdown } of servers) shutdown.skipDelay()
    await closeServers([...servers])
    await exitAfterOutput()
  }
  const onMessage = (message: unknown): void => {
    if (!isToInstance(message)) return
    if (message.espalier === 'shutdown') void shutDown(message.isReplaced)
    if (message.espalier === 'polled') polls.shift()?.()
    if (message.espalier === 'released') for (const resolve of releases.splice(0)) resolve()
  }
  process.on('message', onMessage)
  void send({ espalier: 'ready' })
  const { worker } = cluster
  worker?.once('disconnect', () => {
    // otherwise, `node:cluster` would end this process immediately
    worker.exitedAfterDisconnect = true
    for (const resolve of [...polls.splice(0), ...releases.splice(0)]) resolve()
    void shutDown(false)
  })

  /** The connections that the parent process distributes. */
  const queue: ConnectionQueue = {
    poll: () =>
      new Promise((resolve) => {
        if (!process.connected) return resolve()
        polls.push(resolve)
        void send({ espalier: 'poll' })
      }),
    idleTurn: 5,
    released: () =>
      new Promise((resolve) => {
        if (!process.connected) return resolve()
        const timer = setTimeout(resolve, maxReleaseTime)
        releases.push(() => {
          clearTimeout(timer)
          resolve()
        })
        void send({ espalier: 'closed' })
      }),
  }
  /** The default logger. Each line contains the number of the instance and its process ID, and is written atomically. */
  const output = new LineOutput(process.stdout)
  const logger = (settings: LogSettings): Logger =>
    createLogger(
      settings,
      output,
      (out) => sharedJsonLogger(out, { instance: number, pid: process.pid }),
      { instance: number },
    )
  return {
    /** The number of the instance, starting with 1. A replacement has the same number. */
    number,
    logger,
    queue,
    /** Registers a server, which the instance shuts down. */
    register: (server: InstanceServer): void => void servers.add(server),
    /** Reports a listening server to the parent process. */
    report: (server: ListeningServer): void => {
      // a terminal that is closed sends SIGHUP to all processes; the parent process handles it
      if (process.listenerCount('SIGHUP') === 0) process.on('SIGHUP', () => undefined)
      void send({ espalier: 'listening', server: reported++, ...server })
    },
    /** Reports an error to the parent process, and ends this process. */
    fail: async (error: unknown): Promise<never> => {
      await send({ espalier: 'failed', failure: failureOf(error) })
      process.exit(1)
    },
  }
}

const instances = new Map<number, Instance>()

/** Returns the instance of this process, or `undefined` if the process was not started as an instance. */
export const ownInstance = (): Instance | undefined => {
  const number = Number(process.env[instanceVariable])
  // the variable is inherited by other programs that an instance starts
  if (!cluster.isWorker || !Number.isSafeInteger(number)) return undefined
  const instance = instances.get(number) ?? createInstance(number)
  instances.set(number, instance)
  return instance
}
