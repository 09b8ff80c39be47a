/** One worker, seen from the event loop: it runs one job at a time, and tells its owner what becomes of it. */
import { Worker } from 'node:worker_threads'
import type { LoggerOf } from '../../compiler/settings/log-category.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { LoadOptions } from '../settings/load-settings.ts'
import { toShared } from './shared-clock.ts'
import type { Job } from './job.ts'
import type { FromWorker, ToWorker, WorkerData } from './messages.ts'
import type { BodyProducer } from './worker-body.ts'
import { WorkerBody } from './worker-body.ts'

/** What workers run, and with what. */
export interface WorkerThreadOptions {
  readonly module: string
  readonly export: string
  readonly settings: Settings
  readonly sources: LoadOptions
  readonly loggerOf: LoggerOf
  /** Takes away what a worker leaves behind that is no more, by the number of its thread. */
  readonly sweep: (thread: number) => Promise<void> | undefined
}

/** Who is told of a worker. */
export interface WorkerOwner {
  readonly onReady: (thread: WorkerThread, operations: ReadonlyArray<string>) => void
  /** The worker has no job any more. */
  readonly onFree: (thread: WorkerThread) => void
  /** The worker is no more. Called once, also for one that was stopped. */
  readonly onExit: (thread: WorkerThread, cause: Error) => void
}

export class WorkerThread {
  readonly #worker: Worker
  readonly #owner: WorkerOwner
  readonly #loggerOf: LoggerOf
  readonly #gone = new SharedArrayBuffer(4)
  #job: Job | undefined = undefined
  /** What the job is sending, and the limit of the job. */
  #content: WorkerBody | undefined = undefined
  #limit: Pick<BodyProducer, 'timeout' | 'onTimeout'> = { timeout: 0, onTimeout: () => undefined }
  #cause: Error | undefined = undefined
  #swept: Promise<void> | undefined = undefined
  isReady = false

  constructor(options: WorkerThreadOptions, owner: WorkerOwner) {
    const { loggerOf, settings, sources, module, export: name, sweep } = options
    const workerData: WorkerData = { module, export: name, settings, sources, gone: this.#gone }
    this.#owner = owner
    this.#loggerOf = loggerOf
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData,
      name: 'espalier',
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(1, Math.ceil(settings['fw.worker.heap'] / 2 ** 20)),
      },
    })
    const { threadId } = this.#worker
    this.#worker.on('message', (message: FromWorker) => this.#told(message))
    this.#worker.on('error', (error: unknown) => {
      this.#cause ??= error instanceof Error ? error : new Error(`a worker threw ${String(error)}`)
    })
    // after `process.exit` in a worker there is no error, and after an error there is always this
    this.#worker.on('exit', (code) => {
      const cause = this.#cause ?? new Error(ended(code))
      const error = died(cause)
      this.#job?.settle({ _tag: 'Failed', error })
      this.#job = undefined
      this.#content?.fail(error)
      owner.onExit(this, cause)
      this.#swept = sweep(threadId)
    })
  }

  /** Throws when the job cannot be sent; the worker is free then. */
  run(job: Job, timeout: number, onTimeout: () => void): void {
    const { content, start } = job.handover
    // a copy of what is there and no more: the memory behind it may hold other requests
    const copy = '_tag' in content ? content : new Uint8Array(content)
    if (job.isAborted) this.#see(job)
    this.#say(
      {
        _tag: 'Run',
        job: job.number,
        handover: { ...job.handover, content: copy, start: toShared(start) },
      },
      '_tag' in copy ? [] : [copy.buffer],
    )
    if (job.isAborted) this.#say({ _tag: 'Abort', job: job.number })
    this.#job = job
    this.#limit = { timeout, onTimeout }
    job.onHalfClose(() => {
      this.#see(job)
      this.#say({ _tag: 'Abort', job: job.number })
    })
    job.onDisconnect(() => {
      this.#see(job)
      this.#say({ _tag: 'Gone', job: job.number })
    })
    job.startTimer(timeout, onTimeout)
  }

  /** Lets a worker that is busy see that the client has gone. */
  #see(job: Job): void {
    Atomics.store(new Int32Array(this.#gone), 0, job.number)
  }

  /** Ends the worker as it may want to be ended; one that is busy is stopped. */
  async close(): Promise<void> {
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve))
    const timer = setTimeout(() => this.stop(), patience)
    if (this.isReady && this.#job === undefined) this.#say({ _tag: 'Close' })
    else this.stop()
    await exited
    await this.#swept
    clearTimeout(timer)
  }

  /** Ends the worker whatever it does. */
  stop(cause?: Error): void {
    this.#cause ??= cause
    void this.#worker.terminate()
  }

  /** Tells the worker that the server begins to stop. */
  stopping(): void {
    this.#say({ _tag: 'Stopping' })
  }

  #say(message: ToWorker, transferred: ReadonlyArray<ArrayBuffer> = []): void {
    this.#worker.postMessage(message, transferred)
  }

  #told(message: FromWorker): void {
    switch (message._tag) {
      case 'Ready':
        this.isReady = true
        // from now on, it is the sockets of the server that keep a process alive
        this.#worker.unref()
        return this.#owner.onReady(this, message.operations)
      case 'Logged':
        return this.#loggerOf(message.category)[message.level](message.members, message.message)
      case 'Answered':
        return this.#of(message.job, (job) => this.#answered(job, message))
      case 'Piece':
        return this.#of(message.job, () => {
          this.#content?.deliver(message.octets)
          if (message.octets === undefined) this.#free()
        })
      case 'Broken':
        return this.#of(message.job, () => {
          this.#content?.fail(new Error(`the worker cannot go on: ${message.reason}`))
          this.#free()
        })
      case 'Cancelled':
        return this.#of(message.job, () => this.#free())
    }
  }

  /** Does something for the job that the worker is running. */
  #of(number: number, then: (job: Job) => void): void {
    if (this.#job?.number === number) then(this.#job)
  }

  #answered(job: Job, message: FromWorker & { readonly _tag: 'Answered' }): void {
    const { status, headers, content, pieces, awaitsEnd } = message
    const ended = awaitsEnd ? () => this.#say({ _tag: 'End', job: job.number }) : undefined
    const sent = pieces === undefined ? undefined : this.#sending(job, pieces)
    this.#content = sent
    job.settle({
      _tag: 'Answered',
      answer: { status, headers, content: sent ?? content },
      ended,
    })
    // nobody was told of it
    if (job.isDisconnected) sent?.close()
    if (sent === undefined) this.#free()
  }

  #sending(job: Job, pieces: Pick<WorkerBody, 'length' | 'isFile'>): WorkerBody {
    const maker = {
      ...this.#limit,
      request: () => this.#say({ _tag: 'Ask', job: job.number }),
      cancel: () => {
        this.#see(job)
        this.#say({ _tag: 'Cancel', job: job.number })
      },
    }
    return new WorkerBody(pieces.length, maker, pieces.isFile)
  }

  #free(): void {
    this.#content?.detach()
    this.#content = undefined
    this.#job = undefined
    this.#owner.onFree(this)
  }
}

/** Milliseconds that a worker without a job has to end. */
const patience = 1000

/** Node exits with 13 if a promise that a module awaits at top level is never settled. */
const ended = (code: number): string =>
  code === 13
    ? 'the worker ended itself with 13: a top-level await of its module was never settled'
    : `the worker ended itself with ${code}`

const died = (cause: Error): Error =>
  new Error(`the worker that ran it is no more: ${cause.message}`, { cause })
