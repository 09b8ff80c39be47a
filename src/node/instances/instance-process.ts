/** A process that the parent process has started as an instance. */
import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { recoverConnections } from '../internals.ts'
import type { ListeningServer, ToInstance } from './instance-messages.ts'
import { errorOf, instanceVariable, isFromInstance } from './instance-messages.ts'
import { distribute } from './instance-relay.ts'

/** How a process ended: with an exit code, or because of a signal. */
export interface InstanceExit {
  readonly code: number | null
  readonly signal: string | null
}

/** A running or ended instance. */
export class InstanceProcess {
  readonly number: number
  /** Resolves when the process has ended. */
  readonly exited: Promise<InstanceExit>
  /** The time at which the process has listened for the first time, or `undefined` if it has not. */
  listeningSince: number | undefined
  readonly #worker: Worker
  readonly #servers = new Map<number, ListeningServer>()
  readonly #waiting = new Set<() => void>()
  readonly #onClosed: () => void
  /** Number of servers that have stopped listening. */
  #closedServers = 0
  #isReady = false
  /** The message that requests the shutdown, until the instance receives messages. */
  #shutdown: ToInstance | undefined
  /** The error that the process has reported. */
  #failure: Error | undefined
  #exit: InstanceExit | undefined

  /**
   * Starts an instance. `hasOthers` determines whether another instance listens. `onClosed` is called when a server has stopped
   * listening, and when the process has ended.
   */
  constructor(number: number, hasOthers: () => boolean, onClosed: () => void) {
    this.number = number
    this.#onClosed = onClosed
    this.#worker = cluster.fork({ [instanceVariable]: String(number) })
    recoverConnections(this.#worker.process, hasOthers)
    this.exited = new Promise((resolve) => {
      const end = (exit: InstanceExit): void => {
        this.#exit ??= exit
        resolve(exit)
        this.#notify()
        onClosed()
      }
      this.#worker.once('exit', (code: number | null, signal: string | null) =>
        end({ code, signal }),
      )
      // also emitted for messages to a process that has just ended
      this.#worker.on('error', () => {
        if (this.pid === undefined) end({ code: null, signal: null })
      })
    })
    this.#worker.on('message', (message: unknown) => this.#receive(message))
  }

  /** Whether the process can receive messages. */
  get isConnected(): boolean {
    return this.#worker.isConnected()
  }

  /** Whether a server of the process might accept connections. */
  get isListening(): boolean {
    return this.#exit === undefined && this.#closedServers < this.#servers.size
  }

  /** The process ID, or `undefined` if the process could not be started. */
  get pid(): number | undefined {
    return this.#worker.process.pid
  }

  /**
   * Resolves when the servers with the given indexes listen in this instance. Rejects if the process reports an error, with this
   * error, or ends. Terminates the process and rejects after `timeout` milliseconds, if `timeout` is greater than 0.
   */
  async listening(indexes: ReadonlySet<number>, timeout: number): Promise<void> {
    let isLate = false
    const onTimeout = (): void => {
      isLate = true
      this.kill()
    }
    const timer = timeout > 0 ? setTimeout(onTimeout, timeout) : undefined
    const isListening = (): boolean => [...indexes].every((index) => this.#servers.has(index))
    while (!isListening() && this.#exit === undefined) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
    clearTimeout(timer)
    if (this.#exit === undefined) return
    if (this.#failure !== undefined) throw this.#failure
    throw new Error(
      isLate
        ? `instance ${this.number} did not listen within ${timeout} ms (fw.http.instances.start-timeout)`
        : `instance ${this.number} ended before it listened (${describeExit(this.#exit)}): its standard error contains the reason`,
    )
  }

  /** Returns a server of this instance, or `undefined` if it does not listen. */
  server(index: number): ListeningServer | undefined {
    return this.#servers.get(index)
  }

  /**
   * Requests a graceful shutdown. An instance that is still starting receives the request when it is ready. Resolves when the process
   * has ended. Calls `onTimeout` and terminates the process after `timeout` milliseconds. `isReplaced` states whether other instances
   * continue to accept connections.
   */
  async stop(isReplaced: boolean, timeout: number, onTimeout: () => void): Promise<InstanceExit> {
    const shutdown: ToInstance = { espalier: 'shutdown', isReplaced }
    if (this.#isReady) this.send(shutdown)
    else this.#shutdown = shutdown
    const timer = setTimeout(() => {
      onTimeout()
      this.kill()
    }, timeout)
    const exit = await this.exited
    clearTimeout(timer)
    return exit
  }

  /** Terminates the process immediately. */
  kill(): void {
    this.#worker.process.kill('SIGKILL')
  }

  send(message: ToInstance): void {
    if (this.isConnected) this.#worker.send(message)
  }

  #receive(message: unknown): void {
    if (!isFromInstance(message)) return
    switch (message.espalier) {
      case 'ready':
        this.#isReady = true
        if (this.#shutdown !== undefined) this.send(this.#shutdown)
        return
      case 'listening':
        this.listeningSince ??= performance.now()
        this.#servers.set(message.server, message)
        return this.#notify()
      case 'failed':
        this.#failure = errorOf(message.failure)
        return
      case 'poll':
        // connections that have arrived are distributed in the poll phase of the next turn of the event loop
        setImmediate(() => setImmediate(() => this.send({ espalier: 'polled' })))
        return
      case 'closed':
        this.#closedServers++
        return this.#onClosed()
      case 'relay':
        distribute(message)
    }
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

/** Describes how a process ended, for error messages. */
export const describeExit = ({ code, signal }: InstanceExit): string =>
  signal === null
    ? code === null
      ? 'it could not be started'
      : `exit code ${code}`
    : `signal ${signal}`
