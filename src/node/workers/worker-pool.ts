/**
 * A pool of workers for blocking operations.
 *
 * A job is a request dispatched to a worker. A job runs on a free worker or waits in a queue. Workers are started on demand, and
 * one spare worker is kept ready. If a worker exits, only its current job fails, and the pool replaces the worker.
 *
 * `piscina` (5.3) is not used for three reasons:
 *
 * - Every job has a timeout and thus needs an abort signal, but `piscina` does not count tasks with a signal against `maxQueue`.
 * - After a worker has failed to start, `piscina` no longer replaces workers that exit, and queued tasks never settle.
 * - `piscina` aborts a task by terminating the thread, whereas this pool notifies the handler.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import {
  ConfigurationError,
  operationTitle,
} from '../../endpoint/definition/configuration-error.ts'
import type { Program } from '../../interpreter/program.ts'
import { Job } from './messages.ts'
import { HttpError, ServiceUnavailable } from '../../endpoint/http-error.ts'
import * as Category from '../../compiler/settings/logger.ts'
import type { DispatchedRequest, Dispatch } from '../../interpreter/dispatched-request.ts'
import { describeUncloneable } from './cloneable.ts'
import type { WorkerOwner, WorkerThreadOptions } from './worker-thread.ts'
import { WorkerThread } from './worker-thread.ts'
import { isError } from '../../http/platform-value.ts'

/** Options for `startWorkers`. */
export type WorkerOptions = Pick<
  WorkerPoolOptions,
  'loggerOf' | 'sources' | 'module' | 'export' | 'sweep'
>

/** Maximum time, in milliseconds, for the first worker to load its module. */
const startTimeout = 60_000

/**
 * Starts a pool. Resolves when the first worker is ready. Rejects with a `ConfigurationError` if the worker cannot run the program.
 */
export const startWorkers = async (
  { plans, settings }: Pick<Program, 'plans' | 'settings'>,
  { loggerOf, sources, module, export: name, sweep }: WorkerOptions,
  timeout = startTimeout,
): Promise<WorkerPool> => {
  const configurationError = (remedy: string): ConfigurationError =>
    new ConfigurationError([{ code: 'FW-WORKER-002', concerns: [`${name} of ${module}`], remedy }])
  const file = findWorkerFile()
  if (file === undefined)
    throw configurationError(
      'a bundle does not contain the program of workers: exclude espalier from the bundle',
    )
  const threads = settings['fw.worker.threads'] ?? Math.max(1, availableParallelism() - 1)
  const pool = new WorkerPool({
    file,
    module,
    export: name,
    settings,
    sources,
    loggerOf,
    sweep,
    threads,
    queue: settings['fw.worker.queue'] ?? 8 * threads,
    timeout: settings['fw.worker.timeout'],
  })
  const late = new Error(
    `the module was not loaded within ${timeout} ms: reduce the time spent in top-level await`,
  )
  const started = await Promise.race([pool.started, wait(timeout, late, { ref: false })])
  const remedy = isError(started) ? started.message : difference(plans.map(operationTitle), started)
  if (remedy === undefined) return pool
  await pool.close()
  throw configurationError(remedy)
}

/** Returns the URL of the program of workers, which is next to this module. Returns `undefined` in a bundle without it. */
const findWorkerFile = (): URL | undefined => {
  // `undefined` in a bundle in the CommonJS format
  const module: unknown = import.meta.url
  const file = typeof module === 'string' ? resolveFile('./worker.js', module) : undefined
  return file !== undefined && existsSync(file) ? file : undefined
}

/**
 * Resolves a reference. For `new URL('./worker.js', import.meta.url)`, bundlers copy the file as an asset, without the files that it
 * imports, and the minimizer of webpack fails to read it. They do not evaluate calls of functions.
 */
const resolveFile = (reference: string, base: string): URL => new URL(reference, base)

/** Describes how the operations in a worker differ from those in the main thread. Returns `undefined` if they are the same. */
const difference = (
  served: ReadonlyArray<string>,
  exported: ReadonlyArray<string>,
): string | undefined => {
  if (served.join('\n') === exported.join('\n')) return undefined
  const missing = served.find((operation) => !exported.includes(operation))
  const added = exported.find((operation) => !served.includes(operation))
  const details = [
    ...(missing === undefined ? [] : [`without ${missing}`]),
    ...(added === undefined ? [] : [`with ${added}`]),
  ]
  return `the module exports a different tree from the one being served${details.length === 0 ? '' : `, ${details.join(' and ')}`}: serve the tree that the module exports`
}

export interface WorkerPoolOptions extends WorkerThreadOptions {
  /** Maximum number of busy workers. */
  readonly threads: number
  /** Maximum number of waiting jobs. */
  readonly queue: number
  /** Maximum duration of a job, in milliseconds. `0` disables the timeout. */
  readonly timeout: number
}

/** After this many worker exits within one second, further workers are started only after a delay. */
const maxExits = 5

/** Minimum time, in milliseconds, to wait before another worker is started after a worker has failed to start. */
const restartDelay = 1000

/** A pool of workers with a queue of jobs. */
export class WorkerPool implements WorkerOwner {
  readonly #options: WorkerPoolOptions
  readonly #threads = new Set<WorkerThread>()
  readonly #free: WorkerThread[] = []
  readonly #queue: Job[] = []
  /** The times of the most recent worker exits. Contains at most `maxExits` times. */
  #exitTimes: ReadonlyArray<number> = []
  /** The earliest time at which another worker can be started after a failed start. */
  #nextStart = 0
  #startTimer: NodeJS.Timeout | undefined = undefined
  #jobs = 0
  #isStopping = false
  #isClosed = false
  #onStart: (result: ReadonlyArray<string> | Error) => void = () => undefined
  /** Resolves to the operations of the first worker that starts, or to the error with which the first one exits. */
  readonly started = new Promise<ReadonlyArray<string> | Error>((resolve) => {
    this.#onStart = resolve
  })

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#startThreads()
  }

  /** Runs a request on a worker. Rejects the request with status 503 if the queue is full or no worker can be started. */
  readonly dispatch: Dispatch = (request, exchange, callback) => {
    assertCloneable(request)
    const { threads, queue } = this.#options
    this.#jobs = (this.#jobs + 1) | 0
    const job = new Job(this.#jobs, request, exchange, callback)
    if (job.isDisconnected) return
    const isFull = this.#queue.length >= queue && (this.#free.length === 0 || this.#busy >= threads)
    if (this.#isUnavailable || (isFull && !this.#removeAbandoned())) return reject(job)
    this.#enqueue(job)
    this.#assignJobs()
  }

  onReady(thread: WorkerThread, operations: ReadonlyArray<string>): void {
    this.#onStart(operations)
    if (!this.#threads.has(thread)) return
    // the worker is added at the front, because workers that have already run jobs are preferred
    this.#free.unshift(thread)
    this.#assignJobs()
  }

  onFree(thread: WorkerThread): void {
    // a stopped worker may have responded in the meantime
    if (!this.#threads.has(thread)) return
    this.#free.push(thread)
    this.#assignJobs()
  }

  onExit(thread: WorkerThread, cause: Error): void {
    // a stopped worker is already removed
    if (this.#isClosed || !this.#threads.has(thread)) return
    this.#options
      .loggerOf(Category.serverCategory)
      .error(
        { err: cause },
        thread.isReady ? 'Worker exited unexpectedly' : 'Worker failed to start',
      )
    this.#onStart(cause)
    if (!thread.isReady) this.#nextStart = performance.now() + restartDelay
    this.#remove(thread)
  }

  /** Notifies all workers that the server is shutting down. Workers started later are also notified. */
  notifyStopping(): void {
    this.#isStopping = true
    for (const thread of this.#threads) thread.notifyStopping()
  }

  /** Ends all workers and rejects waiting jobs. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#startTimer)
    for (const job of this.#queue.splice(0)) reject(job)
    await Promise.all(Array.from(this.#threads, (thread) => thread.close()))
  }

  /** Assigns waiting jobs to free workers. */
  #assignJobs(): void {
    while (this.#busy < this.#options.threads) {
      const thread = this.#free.pop()
      if (thread === undefined) break
      const job = this.#nextJob()
      if (job === undefined) {
        this.#free.push(thread)
        break
      }
      this.#run(thread, job)
    }
    this.#startThreads()
  }

  get #starting(): number {
    return Array.from(this.#threads).filter(({ isReady }) => !isReady).length
  }

  get #busy(): number {
    return this.#threads.size - this.#free.length - this.#starting
  }

  #run(thread: WorkerThread, job: Job): void {
    const { loggerOf } = this.#options
    const timeout = job.request.timeout ?? this.#options.timeout
    try {
      thread.run(job, timeout, () => {
        const { name, id } = job.request
        loggerOf(Category.requestCategory).warn(
          { id },
          `${name} exceeded its timeout of ${timeout} ms; its worker will be replaced`,
        )
        job.settle({ _tag: 'Failed', error: new HttpError(504, `${name} timed out`) })
        this.#remove(thread)
        thread.stop()
      })
    } catch (error) {
      this.#free.push(thread)
      job.settle({ _tag: 'Failed', error })
    }
  }

  #enqueue(job: Job): void {
    this.#queue.push(job)
    job.onDisconnect(() => {
      const index = this.#queue.indexOf(job)
      if (index !== -1) this.#queue.splice(index, 1)
    })
  }

  /** Removes the next job from the queue. Clients that have half-closed their connections have probably gone, so their jobs run last. */
  #nextJob(): Job | undefined {
    const index = this.#queue.findIndex(({ isAborted }) => !isAborted)
    return index === -1 ? this.#queue.shift() : this.#queue.splice(index, 1)[0]
  }

  /** Rejects a waiting job whose client has half-closed its connection. Returns `false` if there is no such job. */
  #removeAbandoned(): boolean {
    const index = this.#queue.findIndex(({ isAborted }) => isAborted)
    if (index === -1) return false
    for (const job of this.#queue.splice(index, 1)) reject(job)
    return true
  }

  /** Removes a worker from the pool, and starts a replacement if one is needed. */
  #remove(thread: WorkerThread): void {
    if (!this.#threads.delete(thread)) return
    const index = this.#free.indexOf(thread)
    if (index !== -1) this.#free.splice(index, 1)
    this.#exitTimes = [...this.#exitTimes, performance.now()].slice(-maxExits)
    this.#assignJobs()
  }

  /**
   * Starts workers until there is one worker per job, up to `threads` workers, and one spare worker. The spare worker reduces the
   * time that jobs wait for a worker to start.
   */
  #startThreads(): void {
    if (this.#isClosed || this.#startTimer !== undefined) return
    const target = Math.min(this.#options.threads, this.#busy + this.#queue.length) + 1
    while (this.#threads.size < target) {
      const delay = this.#startDelay()
      if (delay > 0) return this.#startThreadsAfter(delay)
      const thread = new WorkerThread(this.#options, this)
      if (this.#isStopping) thread.notifyStopping()
      this.#threads.add(thread)
    }
  }

  /**
   * Returns the time, in milliseconds, to wait before another worker can be started. Starts are delayed after a failed start and
   * after several exits within one second, because a new worker would probably exit too.
   */
  #startDelay(): number {
    const [earliest = -Infinity] = this.#exitTimes.length < maxExits ? [] : this.#exitTimes
    return Math.max(this.#nextStart, earliest + 1000) - performance.now()
  }

  #startThreadsAfter(delay: number): void {
    this.#startTimer = setTimeout(() => {
      this.#startTimer = undefined
      this.#startThreads()
    }, delay).unref()
    if (this.#isUnavailable) for (const job of this.#queue.splice(0)) reject(job)
  }

  /** Whether the pool is closed, or has no workers and cannot start one yet. */
  get #isUnavailable(): boolean {
    return this.#isClosed || (this.#threads.size === 0 && performance.now() < this.#nextStart)
  }
}

/** Throws if a context value in a request cannot be cloned unchanged. */
const assertCloneable = ({ name, provided, authenticated }: DispatchedRequest): void => {
  const uncloneable = [...provided, { authenticated }]
    .flatMap((values) => Object.entries(values ?? {}))
    .map(([key, value]) => describeUncloneable(value, key))
    .find((description) => description !== undefined)
  if (uncloneable !== undefined)
    throw new TypeError(`${name} cannot be dispatched to a worker: ${uncloneable}`)
}

const reject = (job: Job): void =>
  job.settle({
    _tag: 'Failed',
    error: new ServiceUnavailable(`no worker available for ${job.request.name}`, {
      headers: { 'Retry-After': '1' },
    }),
  })
