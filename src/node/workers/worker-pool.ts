/**
 * A pool of workers. A job runs on a worker that is free, or waits for one; workers are started as they are needed, and one in
 * advance. A worker that dies takes nothing with it but its own job, and is replaced.
 *
 * Why not `piscina` (5.3): every job needs a time limit and so an abort signal, and tasks with one are not counted against
 * its `maxQueue`; when one worker fails while it starts, it never replaces another, and queued tasks are never settled; and
 * its abort is the end of the thread, where ours is news for the handler.
 * When to look again: when these three are no longer so.
 */
import { HttpError, ServiceUnavailable } from '../../endpoint/http-error.ts'
import * as Category from '../../compiler/settings/log-category.ts'
import type { Handover, Offload } from '../../interpreter/workers/dispatched-request.ts'
import { Job } from './job.ts'
import type { WorkerOwner, WorkerThreadOptions } from './worker-thread.ts'
import { WorkerThread } from './worker-thread.ts'
import { describeUncloneable } from './cloneable.ts'

export interface WorkerPoolOptions extends WorkerThreadOptions {
  readonly threads: number
  /** How many jobs may wait. */
  readonly queue: number
  /** Milliseconds that a job may run; 0 is without end. */
  readonly timeout: number
  /** Told what becomes of the first worker: its operations, or why there are none. */
  readonly onFirstStart: (started: ReadonlyArray<string> | Error) => void
}

/** Deaths in a second after which a replacement has to wait, and milliseconds that it waits after a failed start. */
const mostDeaths = 5
const pause = 1000

export class WorkerPool implements WorkerOwner {
  readonly #options: WorkerPoolOptions
  readonly #threads = new Set<WorkerThread>()
  readonly #free: WorkerThread[] = []
  readonly #queue: Job[] = []
  /** When workers have died in the last second, by the clock of `performance`. */
  #deaths: ReadonlyArray<number> = []
  /** When the next worker may be started after one that could not start; nobody waits for that. */
  #notBefore = 0
  #waiting: NodeJS.Timeout | undefined = undefined
  #jobs = 0
  #isStopping = false
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#grow()
  }

  readonly offload: Offload = (handover, exchange, then) => {
    verify(handover)
    const { threads, queue } = this.#options
    this.#jobs = (this.#jobs + 1) | 0
    const job = new Job(this.#jobs, handover, exchange, then)
    if (job.isDisconnected) return
    const isFull = this.#queue.length >= queue && (this.#free.length === 0 || this.#busy >= threads)
    if (isFull || this.#isDown) return refuse(job)
    this.#wait(job)
    this.#go()
  }

  onReady(thread: WorkerThread, operations: ReadonlyArray<string>): void {
    this.#options.onFirstStart(operations)
    if (!this.#threads.has(thread)) return
    // those that have run before come first: what they need is loaded
    this.#free.unshift(thread)
    this.#go()
  }

  onFree(thread: WorkerThread): void {
    // one that was stopped may have answered meanwhile
    if (!this.#threads.has(thread)) return
    this.#free.push(thread)
    this.#go()
  }

  onExit(thread: WorkerThread, cause: Error): void {
    // one that was stopped is missed no more
    if (this.#closed || !this.#threads.has(thread)) return
    const { loggerOf, onFirstStart } = this.#options
    loggerOf(Category.server).error(
      { err: cause },
      thread.isReady ? 'A worker has died.' : 'A worker cannot start.',
    )
    onFirstStart(cause)
    if (!thread.isReady) this.#notBefore = performance.now() + pause
    this.#lose(thread)
  }

  /** Tells all workers that the server begins to stop, those too that come later. */
  stopping(): void {
    this.#isStopping = true
    for (const thread of this.#threads) thread.stopping()
  }

  /** Ends all workers. Jobs that wait are refused. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#waiting)
    for (const job of this.#queue.splice(0)) refuse(job)
    await Promise.all(Array.from(this.#threads, (thread) => thread.close()))
  }

  /** Puts jobs that wait on workers that are free. */
  #go(): void {
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
    this.#grow()
  }

  get #starting(): number {
    return Array.from(this.#threads).filter(({ isReady }) => !isReady).length
  }

  get #busy(): number {
    return this.#threads.size - this.#free.length - this.#starting
  }

  #run(thread: WorkerThread, job: Job): void {
    const { loggerOf } = this.#options
    const timeout = job.handover.time ?? this.#options.timeout
    try {
      thread.run(job, timeout, () => {
        const { name, id } = job.handover
        loggerOf(Category.request).warn(
          { id },
          `${name} has run for ${timeout} ms: its worker is replaced`,
        )
        job.settle({ _tag: 'Failed', error: new HttpError(504, `${name} took too long`) })
        this.#lose(thread)
        thread.stop()
      })
    } catch (error) {
      this.#free.push(thread)
      job.settle({ _tag: 'Failed', error })
    }
  }

  #wait(job: Job): void {
    this.#queue.push(job)
    job.onDisconnect(() => {
      const at = this.#queue.indexOf(job)
      if (at !== -1) this.#queue.splice(at, 1)
    })
  }

  /** Goes on without a worker. */
  #lose(thread: WorkerThread): void {
    if (!this.#threads.delete(thread)) return
    const at = this.#free.indexOf(thread)
    if (at !== -1) this.#free.splice(at, 1)
    this.#deaths = [...this.#deaths, performance.now()].slice(-mostDeaths)
    this.#go()
  }

  /** Starts the workers that are wanted: for every job, and one in advance, so that none waits while another starts. */
  #grow(): void {
    if (this.#closed || this.#waiting !== undefined) return
    const wanted = Math.min(this.#options.threads, this.#busy + this.#queue.length) + 1
    while (this.#threads.size < wanted) {
      const delay = this.#delay()
      if (delay > 0) return this.#growAfter(delay)
      const thread = new WorkerThread(this.#options, this)
      if (this.#isStopping) thread.stopping()
      this.#threads.add(thread)
    }
  }

  /** Milliseconds before another worker may be started: where workers die one after the other, others would too. */
  #delay(): number {
    const [earliest = -Infinity] = this.#deaths.length < mostDeaths ? [] : this.#deaths
    return Math.max(this.#notBefore, earliest + 1000) - performance.now()
  }

  #growAfter(delay: number): void {
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined
      this.#grow()
    }, delay).unref()
    if (this.#isDown) for (const job of this.#queue.splice(0)) refuse(job)
  }

  /** Whether nobody is there, or will be soon, to run what would wait. */
  get #isDown(): boolean {
    return this.#closed || (this.#threads.size === 0 && performance.now() < this.#notBefore)
  }
}

/** Throws for what would not arrive as it was sent. */
const verify = ({ name, given, identity }: Handover): void => {
  const odd = [...given, { identity }]
    .flatMap((values) => Object.entries(values ?? {}))
    .map(([key, value]) => describeUncloneable(value, key))
    .find((sentence) => sentence !== undefined)
  if (odd !== undefined) throw new TypeError(`${name} cannot be handed to a worker: ${odd}`)
}

const refuse = (job: Job): void =>
  job.settle({
    _tag: 'Failed',
    error: new ServiceUnavailable(`no worker is free for ${job.handover.name}`, {
      headers: { 'Retry-After': '1' },
    }),
  })
