/** Serves a tree with several instances: the part of `serve` that runs in the parent process. */
import cluster from 'node:cluster'
import * as Category from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { sharedJsonLogger } from '../json-logger.ts'
import type { ServeOptions } from '../serve-options.ts'
import { runWithin } from '../shutdown/graceful-shutdown.ts'
import type { Signal } from '../shutdown/process-shutdown.ts'
import { closeOnExit } from '../shutdown/process-shutdown.ts'
import type { ListeningServer } from './instance-process.ts'
import { LineOutput } from './line-output.ts'
import { Supervisor } from './supervisor.ts'

/** A server whose requests are served by instances. */
export interface SupervisedServer extends ListeningServer {
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Whether this process can start instances. Processes that `node:cluster` has started cannot. */
export const canSupervise = (): boolean => cluster.isPrimary

/** The supervisor of this process. Empty before the first server has started, and after its instances have ended. */
const supervisors = new Set<Supervisor>()

/** The number of servers that were started with instances. It is the same in each instance, which runs the same program. */
const servers: { count: number } = { count: 0 }

/**
 * Starts the instances of this process, unless they are already running. Resolves when the server listens in all of them.
 *
 * Rejects with the failure of the first instance that does not start.
 */
export const supervise = async (
  count: number,
  settings: Settings,
  options: ServeOptions,
): Promise<SupervisedServer> => {
  const { signals = true, onClose = () => undefined } = options
  const { logger = sharedJsonLogger(new LineOutput(process.stdout), {}) } = options
  const serverLogger = Category.loggersByCategory(logger, settings)(Category.serverCategory)
  const [supervisor = new Supervisor(settings, serverLogger)] = supervisors
  supervisors.add(supervisor)
  const index = servers.count++
  let closed: Promise<void> | undefined
  const timeout = settings['fw.shutdown.timeout']
  const close = (): Promise<void> =>
    (closed ??= supervisor.close().then(() => runWithin(timeout, onClose)))
  try {
    const listening = await supervisor.listen(index, count)
    const shutdown = {
      timeout,
      get destroyedConnections() {
        return supervisor.failedExits
      },
    }
    const unregister = closeOnExit(signals, { close, logger: serverLogger, shutdown })
    const onHangUp = (): void => void supervisor.restart().catch(() => undefined)
    if (restartsOnHangUp(signals)) process.on('SIGHUP', onHangUp)
    return {
      ...listening,
      restart: () => supervisor.restart(),
      close: () =>
        close().finally(() => {
          supervisors.delete(supervisor)
          unregister()
          process.off('SIGHUP', onHangUp)
        }),
    }
  } catch (error) {
    supervisors.delete(supervisor)
    throw error
  }
}

/** Whether SIGHUP restarts the instances. It does not if the program handles signals itself, or if SIGHUP closes the server. */
const restartsOnHangUp = (signals: boolean | ReadonlyArray<Signal>): boolean =>
  typeof signals === 'boolean' ? signals : signals.length > 0 && !signals.includes('SIGHUP')
