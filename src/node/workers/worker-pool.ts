/**
 * A pool of workers. A job runs on a free worker, or waits for one. Workers are started on demand, and one in advance. A worker that
 * exits loses only its own job, and is replaced.
 *
 * `piscina` (5.3) is not used for three reasons: every job needs a time limit and so an abort signal, and tasks with a signal do not
 * count against its `maxQueue`; if one worker fails to start, it never replaces another, and queued tasks never settle; and it
 * aborts a task by terminating the thread, whereas handlers here are notified.
 */
import { HttpError, ServiceUnavailable } from '../../endpoint/http-error.ts'
import * as Category from '../../compiler/settings/log-category.ts'
import type { DispatchedRequest, Dispatch } from '../../interpreter/workers/dispatched-request.ts'
import { describeUncloneable } from './cloneable.ts'
import { Job } from './job.ts'
import type { WorkerOwner, WorkerThreadOptions } from './worker-thread.ts'
import { WorkerThread } from './worker-thread.ts'

export interface WorkerPoolOptions extends WorkerThreadOptions {
  readonly threads: number
  /** Maximum number of waiting jobs. */
  readonly queue: number
  /** Maximum milliseconds of a job; 0 disables the timeout. */
  readonly timeout: number
  /** Called when a worker has started, with its operations, or when it has exited, with the error. */
  readonly onFirstStart: (result: ReadonlyArray<string> | Error) => void
}

/** The number of exits within a second after which a replacement is delayed. */
const maxExits = 5

/** Milliseconds until the next start after a failed one. */
const restartDelay = 1000

export class WorkerPool implements WorkerOwner {
  readonly #options: WorkerPoolOptions
  readonly #threads = new Set<WorkerThread>()
  readonly #free: WorkerThread[] = []
  readonly #queue: Job[] = []
  /** The times of the latest exits. */
  #exitTimes: ReadonlyArray<number> = []
  /** The earliest time of the next start after a failed one. */
  #nextStart = 0
  #startTimer: NodeJS.Timeout | undefined = undefined
  #jobs = 0
  #isStopping = false
  #isClosed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#startThreads()
  }

  readonly offload: Dispatch = (handover, exchange, then) => {
    assertCloneable(handover)
    const { threads, queue } = this.#options
    this.#jobs = (this.#jobs + 1) | 0
    const job = new Job(this.#jobs, handover, exchange, then)
    if (job.isDisconnected) return
    const isFull = this.#queue.length >= queue && (this.#free.length === 0 || this.#busy >= threads)
    if (isFull || this.#isUnavailable) return reject(job)
    this.#enqueue(job)
    this.#dispatch()
  }

  onReady(thread: WorkerThread, operations: ReadonlyArray<string>): void {
    this.#options.onFirstStart(operations)
    if (!this.#threads.has(thread)) return
    // workers that have run jobs are used first, because their modules are loaded
    this.#free.unshift(thread)
    this.#dispatch()
  }

  onFree(thread: WorkerThread): void {
    // a stopped worker may have responded meanwhile
    if (!this.#threads.has(thread)) return
    this.#free.push(thread)
    this.#dispatch()
  }

  onExit(thread: WorkerThread, cause: Error): void {
    // a stopped worker is already removed
    if (this.#isClosed || !this.#threads.has(thread)) return
    const { loggerOf, onFirstStart } = this.#options
    loggerOf(Category.serverCategory).error(
      { err: cause },
      thread.isReady ? 'Worker exited unexpectedly' : 'Worker failed to start',
    )
    onFirstStart(cause)
    if (!thread.isReady) this.#nextStart = performance.now() + restartDelay
    this.#remove(thread)
  }

  /** Notifies all workers, including later ones, that the server begins to shut down. */
  stopping(): void {
    this.#isStopping = true
    for (const thread of this.#threads) thread.stopping()
  }

  /** Ends all workers. Waiting jobs are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#startTimer)
    for (const job of this.#queue.splice(0)) reject(job)
    await Promise.all(Array.from(this.#threads, (thread) => thread.close()))
  }

  /** Assigns waiting jobs to free workers. */
  #dispatch(): void {
    while (this.#busy < this.#options.threads) {
      const thread = this.#free.pop()
      if (thread === undefined) break
      const job = this.#queue.shift()
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
    const timeout = job.handover.timeout ?? this.#options.timeout
    try {
      thread.run(job, timeout, () => {
        const { name, id } = job.handover
        loggerOf(Category.requestCategory).warn(
          { id },
          `${name} exceeded its timeout of ${timeout} ms, replacing its worker`,
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

  /** Removes a worker from the pool, and starts a replacement. */
  #remove(thread: WorkerThread): void {
    if (!this.#threads.delete(thread)) return
    const index = this.#free.indexOf(thread)
    if (index !== -1) this.#free.splice(index, 1)
    this.#exitTimes = [...this.#exitTimes, performance.now()].slice(-maxExits)
    this.#dispatch()
  }

  /** Starts a worker per job, and one in advance, so that no job waits for a start. */
  #startThreads(): void {
    if (this.#isClosed || this.#startTimer !== undefined) return
    const wanted = Math.min(this.#options.threads, this.#busy + this.#queue.length) + 1
    while (this.#threads.size < wanted) {
      const delay = this.#startDelay()
      if (delay > 0) return this.#startThreadsAfter(delay)
      const thread = new WorkerThread(this.#options, this)
      if (this.#isStopping) thread.stopping()
      this.#threads.add(thread)
    }
  }

  /** Returns the milliseconds until another worker may be started. After several exits, the next worker would probably exit too. */
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

  /** Whether no worker exists, and none will start soon. */
  get #isUnavailable(): boolean {
    return this.#isClosed || (this.#threads.size === 0 && performance.now() < this.#nextStart)
  }
}

/** Throws if a value of the context cannot be cloned unchanged. */
const assertCloneable = ({
  name,
  provided: given,
  authenticated: identity,
}: DispatchedRequest): void => {
  const uncloneable = [...given, { identity }]
    .flatMap((values) => Object.entries(values ?? {}))
    .map(([key, value]) => describeUncloneable(value, key))
    .find((description) => description !== undefined)
  if (uncloneable !== undefined)
    throw new TypeError(`${name} cannot be dispatched to a worker: ${uncloneable}`)
}

const reject = (job: Job): void =>
  job.settle({
    _tag: 'Failed',
    error: new ServiceUnavailable(`no worker available for ${job.handover.name}`, {
      headers: { 'Retry-After': '1' },
    }),
  })
