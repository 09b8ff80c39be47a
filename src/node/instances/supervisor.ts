/**
 * The parent process of a program with several instances: starts them, replaces those that exit, restarts them one by one, and shuts
 * them down together.
 *
 * The parent process accepts connections and passes them to the instances in turn (`node:cluster`). A connection that was passed to
 * an instance that has stopped listening is passed to another one. Therefore, replacing an instance loses no connection.
 */
import cluster from 'node:cluster'
import * as Category from '../../compiler/settings/logger.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { InstanceProcess } from './instance-process.ts'
import type { InstanceExit } from './instance-process.ts'
import type { ListeningServer } from './instance-messages.ts'
import { addForwarder } from './instance-relay.ts'
import { sharedJsonLogger } from '../log/json-logger.ts'
import { createLogger } from '../log/text-logger.ts'
import type { ServeOptions, Server } from '../serve-options.ts'
import { runWithin } from '../shutdown/graceful-shutdown.ts'
import type { Signal } from '../shutdown/process-shutdown.ts'
import { closeOnExit } from '../shutdown/process-shutdown.ts'
import { LineOutput } from './line-output.ts'

/** An instance and its replacements, one after the other. */
interface Slot {
  current: InstanceProcess
  /** Number of times that the instance has exited since it last ran for `fw.http.instances.max-restart-delay`. */
  exits: number
}

/** Time, in milliseconds, to wait for an instance in addition to the timeouts of its shutdown. */
const stopMargin = 10_000

/** Supervises the instances of this process. */
export class Supervisor {
  readonly #settings: Settings
  readonly #logger: Logger
  readonly #slots: Slot[] = []
  /** All running instances, including those that are being started or replaced. */
  readonly #processes = new Set<InstanceProcess>()
  /** The indexes of the servers that must listen in each instance. */
  readonly #servers = new Set<number>()
  readonly #closing = new AbortController()
  readonly #removeForwarder: () => void
  #starting: Promise<void> | undefined
  #restarting: Promise<void> | undefined
  #closed: Promise<void> | undefined
  /** Number of instances that exited with an error during a shutdown, for example because they had to destroy connections. */
  failedExits = 0

  constructor(settings: Settings, logger: Logger) {
    this.#settings = settings
    this.#logger = logger
    this.#removeForwarder = addForwarder((message) => {
      for (const instance of this.#processes) instance.send(message)
    })
    process.on('exit', this.#killAll)
  }

  get isClosing(): boolean {
    return this.#closing.signal.aborted
  }

  /**
   * Waits until a server listens in all instances. The first call starts `count` instances. If an instance fails to start, all
   * instances are shut down, and the returned promise rejects.
   */
  async listen(server: number, count: number): Promise<ListeningServer> {
    this.#servers.add(server)
    try {
      await (this.#starting ??= this.#start(count))
      await Promise.all(this.#slots.map(({ current }) => this.#listening(current)))
    } catch (error) {
      await this.close()
      throw error
    }
    return this.#slots[0]?.current.server(server) ?? { url: '', urls: [], routes: '' }
  }

  /**
   * Replaces the instances one by one. A new instance must listen before the old one is shut down.
   *
   * Rejects if a new instance cannot start. The remaining instances are then not replaced. A call during a restart returns the promise
   * of the first call.
   */
  restart(): Promise<void> {
    return (this.#restarting ??= this.#replaceAll().finally(() => (this.#restarting = undefined)))
  }

  /** Shuts down all instances. Resolves when all processes have ended. */
  close(): Promise<void> {
    return (this.#closed ??= this.#stopAll())
  }

  /** Starts one instance, and then the others, so that an error of the program is reported only once. */
  async #start(count: number): Promise<void> {
    const first = this.#launch(1)
    this.#slots.push({ current: first, exits: 0 })
    await this.#listening(first)
    if (this.isClosing) throw new Error('the server is closed')
    for (let number = 2; number <= count; number++)
      this.#slots.push({ current: this.#launch(number), exits: 0 })
    await Promise.all(this.#slots.map(({ current }) => this.#listening(current)))
    for (const slot of this.#slots) void this.#keepRunning(slot)
  }

  #launch(number: number): InstanceProcess {
    const launched: InstanceProcess = new InstanceProcess(
      number,
      () =>
        [...this.#processes].some(
          (other) => other !== launched && other.isConnected && other.listeningSince !== undefined,
        ),
      () => this.#onClosed(launched),
    )
    this.#processes.add(launched)
    void launched.exited.then(() => this.#processes.delete(launched))
    return launched
  }

  /**
   * Releases the connections that an instance has accepted at the end of its grace period. During a shutdown, they wait until no
   * instance listens: otherwise, their clients would connect again while the last instance stops listening.
   */
  #onClosed(instance: InstanceProcess): void {
    if (!this.isClosing) return instance.send({ espalier: 'released' })
    const processes = [...this.#processes]
    if (processes.every((other) => !other.isListening))
      for (const other of processes) other.send({ espalier: 'released' })
  }

  #listening(instance: InstanceProcess): Promise<void> {
    return instance.listening(this.#servers, this.#settings['fw.http.instances.start-timeout'])
  }

  /** Replaces the instance of a slot each time it exits unexpectedly. */
  async #keepRunning(slot: Slot): Promise<void> {
    while (!this.isClosing) {
      const { current } = slot
      const exit = await current.exited
      // the instance was replaced by a restart
      if (slot.current !== current) continue
      if (this.isClosing) return
      const delay = this.#delayAfter(slot)
      this.#logExit(current, exit, delay)
      await wait(delay, undefined, { signal: this.#closing.signal }).catch(() => undefined)
      if (this.isClosing) return
      if (slot.current === current) this.#replaceExited(slot)
    }
  }

  #replaceExited(slot: Slot): void {
    const { number } = slot.current
    const started = this.#launch(number)
    slot.current = started
    this.#listening(started).then(
      () => this.#logger.info({ instance: number, pid: started.pid }, 'Instance replaced'),
      (error: unknown) => {
        if (!this.isClosing)
          this.#logger.error({ err: error, instance: number }, 'Instance failed to start')
      },
    )
  }

  /** Returns the time, in milliseconds, to wait before an instance that has exited is replaced. */
  #delayAfter(slot: Slot): number {
    const {
      'fw.http.instances.restart-delay': initial,
      'fw.http.instances.max-restart-delay': maximum,
    } = this.#settings
    const { listeningSince = Infinity } = slot.current
    if (performance.now() - listeningSince >= maximum) slot.exits = 0
    const delay = Math.min(maximum, initial * 2 ** slot.exits)
    slot.exits++
    return delay
  }

  #logExit({ number, pid }: InstanceProcess, { code, signal }: InstanceExit, delay: number): void {
    const members = { instance: number, pid, code, signal, delay }
    if (code === 0) this.#logger.warn(members, 'Instance exited and will be replaced')
    else this.#logger.error(members, 'Instance exited unexpectedly and will be replaced')
  }

  async #replaceAll(): Promise<void> {
    await this.#starting
    for (const slot of this.#slots) {
      if (this.isClosing) throw new Error('the server is closed')
      const { number } = slot.current
      const next = this.#launch(number)
      try {
        await this.#listening(next)
      } catch (error) {
        if (!this.isClosing)
          this.#logger.error(
            { err: error, instance: number },
            'Restart stopped, because the new instance failed to start; the old instances continue',
          )
        throw error
      }
      const previous = slot.current
      slot.current = next
      slot.exits = 0
      this.#logger.info(
        { instance: number, pid: next.pid, previous: previous.pid },
        'Instance replaced',
      )
      await this.#stop(previous, true)
    }
  }

  #stop(instance: InstanceProcess, isReplaced: boolean): Promise<InstanceExit> {
    const members = { instance: instance.number, pid: instance.pid }
    return instance.stop(isReplaced, this.#stopTimeout, () =>
      this.#logger.error(members, 'Instance terminated, because its shutdown did not end'),
    )
  }

  /** Maximum time, in milliseconds, for the shutdown of an instance. */
  get #stopTimeout(): number {
    const { 'fw.shutdown.delay': delay, 'fw.shutdown.grace': grace } = this.#settings
    return delay + grace + 2 * this.#settings['fw.shutdown.timeout'] + stopMargin
  }

  async #stopAll(): Promise<void> {
    this.#closing.abort()
    const stopping = Array.from(this.#processes, async (instance) => {
      const { code } = await this.#stop(instance, false)
      if (code !== 0) this.failedExits++
    })
    await Promise.all(stopping)
    this.#removeForwarder()
    process.off('exit', this.#killAll)
  }

  /** Ends all instances when this process ends without having closed them. */
  readonly #killAll = (): void => {
    for (const instance of this.#processes) instance.kill()
  }
}

/** The supervisor of this process. Empty before the first server has started, and after its instances have ended. */
const supervisors = new Set<Supervisor>()

/** The number of servers that were started with instances. It is the same in each instance, which runs the same program. */
const servers: { count: number } = { count: 0 }

/**
 * Starts the instances of this process, unless they are already running. Resolves when the server listens in all of them, or to
 * `undefined` if `node:cluster` has started this process.
 *
 * Rejects with the error of the first instance that does not start. `describe` returns the table of settings.
 */
export const supervise = async (
  count: number,
  settings: Settings,
  options: ServeOptions,
  describe: () => string,
): Promise<Server | undefined> => {
  if (!cluster.isPrimary) return undefined
  const { signals = true, onClose = () => undefined } = options
  const {
    logger = createLogger(settings, new LineOutput(process.stdout), (out) =>
      sharedJsonLogger(out, {}),
    ),
  } = options
  const serverLogger = Category.loggersByCategory(logger, settings)(Category.serverCategory)
  const [supervisor = new Supervisor(settings, serverLogger)] = supervisors
  supervisors.add(supervisor)
  const index = servers.count++
  let closed: Promise<void> | undefined
  const timeout = settings['fw.shutdown.timeout']
  const close = (): Promise<void> =>
    (closed ??= supervisor.close().then(() => runWithin(timeout, onClose)))
  try {
    const { url, urls, routes } = await supervisor.listen(index, count)
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
      url,
      urls,
      routes,
      get settings() {
        return describe()
      },
      bufferedBytes: 0,
      instance: 0,
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
