/** A worker, seen from the main thread. It runs one job at a time, and reports events to its owner. */
import { Worker } from 'node:worker_threads'
import type { LoggerByCategory } from '../../compiler/settings/log-category.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { LoadOptions } from '../settings/load-settings.ts'
import type { Job } from './job.ts'
import type { FromWorker, ToWorker, WorkerData } from './messages.ts'
import { toShared } from './shared-clock.ts'
import type { BodyProducer } from './worker-body.ts'
import { WorkerBody } from './worker-body.ts'

/** The program of workers, and its environment. */
export interface WorkerThreadOptions {
  readonly module: string
  readonly export: string
  readonly settings: Settings
  readonly sources: LoadOptions
  readonly loggerOf: LoggerByCategory
  /** Deletes the files of an ended worker by its thread id. */
  readonly sweep: (thread: number) => Promise<void> | undefined
}

/** Receives the events of a worker. */
export interface WorkerOwner {
  readonly onReady: (thread: WorkerThread, operations: ReadonlyArray<string>) => void
  /** Called when the worker has finished its job. */
  readonly onFree: (thread: WorkerThread) => void
  /** Called once when the worker has exited, also if it was stopped. */
  readonly onExit: (thread: WorkerThread, cause: Error) => void
}

export class WorkerThread {
  readonly #worker: Worker
  readonly #owner: WorkerOwner
  readonly #loggerOf: LoggerByCategory
  readonly #disconnectedJob = new SharedArrayBuffer(4)
  #job: Job | undefined = undefined
  /** The response body of the job, and the timeout of its chunks. */
  #body: WorkerBody | undefined = undefined
  #timeout: Pick<BodyProducer, 'timeout' | 'onTimeout'> = { timeout: 0, onTimeout: () => undefined }
  #cause: Error | undefined = undefined
  #swept: Promise<void> | undefined = undefined
  isReady = false

  constructor(options: WorkerThreadOptions, owner: WorkerOwner) {
    const { loggerOf, settings, sources, module, export: name, sweep } = options
    const workerData: WorkerData = {
      module,
      export: name,
      settings,
      sources,
      disconnectedJob: this.#disconnectedJob,
    }
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
    this.#worker.on('message', (message: FromWorker) => this.#onMessage(message))
    this.#worker.on('error', (error: unknown) => {
      this.#cause ??=
        error instanceof Error ? error : new Error(`the worker threw ${String(error)}`)
    })
    // emitted after every error, and also after `process.exit` in the worker
    this.#worker.on('exit', (code) => {
      const cause = this.#cause ?? new Error(exitMessage(code))
      const error = new Error(`the worker has exited: ${cause.message}`, { cause })
      this.#job?.settle({ _tag: 'Failed', error })
      this.#job = undefined
      this.#body?.fail(error)
      owner.onExit(this, cause)
      this.#swept = sweep(threadId)
    })
  }

  /** Runs a job. Throws if the job cannot be cloned; the worker is free then. */
  run(job: Job, timeout: number, onTimeout: () => void): void {
    const { body: content, startTime: start } = job.handover
    // copied, because the buffer may also contain other requests
    const copy = '_tag' in content ? content : new Uint8Array(content)
    if (job.isAborted) this.#markDisconnected(job)
    this.#post(
      {
        _tag: 'Run',
        job: job.number,
        handover: { ...job.handover, body: copy, startTime: toShared(start) },
      },
      '_tag' in copy ? [] : [copy.buffer],
    )
    if (job.isAborted) this.#post({ _tag: 'Abort', job: job.number })
    this.#job = job
    this.#timeout = { timeout, onTimeout }
    job.onHalfClose(() => {
      this.#markDisconnected(job)
      this.#post({ _tag: 'Abort', job: job.number })
    })
    job.onDisconnect(() => {
      this.#markDisconnected(job)
      this.#post({ _tag: 'Disconnect', job: job.number })
    })
    job.startTimer(timeout, onTimeout)
  }

  /** Lets a busy worker see that the client has disconnected. */
  #markDisconnected(job: Job): void {
    Atomics.store(new Int32Array(this.#disconnectedJob), 0, job.number)
  }

  /** Lets an idle worker exit by itself, and terminates a busy one. Resolves when the worker has exited. */
  async close(): Promise<void> {
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve))
    const timer = setTimeout(() => this.stop(), exitTimeout)
    if (this.isReady && this.#job === undefined) this.#post({ _tag: 'Close' })
    else this.stop()
    await exited
    await this.#swept
    clearTimeout(timer)
  }

  /** Terminates the worker. */
  stop(cause?: Error): void {
    this.#cause ??= cause
    void this.#worker.terminate()
  }

  /** Notifies the worker that the server begins to shut down. */
  stopping(): void {
    this.#post({ _tag: 'Stopping' })
  }

  #post(message: ToWorker, transferred: ReadonlyArray<ArrayBuffer> = []): void {
    this.#worker.postMessage(message, transferred)
  }

  #onMessage(message: FromWorker): void {
    switch (message._tag) {
      case 'Ready':
        this.isReady = true
        // from now on, the sockets of the server keep the process alive
        this.#worker.unref()
        return this.#owner.onReady(this, message.operations)
      case 'Log':
        return this.#loggerOf(message.category)[message.level](message.members, message.message)
      case 'Response':
        return this.#ifCurrent(message.job, (job) => this.#onResponse(job, message))
      case 'Chunk':
        return this.#ifCurrent(message.job, () => {
          this.#body?.deliver(message.bytes)
          if (message.bytes === undefined) this.#free()
        })
      case 'BodyFailed':
        return this.#ifCurrent(message.job, () => {
          this.#body?.fail(new Error(`the response body failed in the worker: ${message.reason}`))
          this.#free()
        })
      case 'Cancelled':
        return this.#ifCurrent(message.job, () => this.#free())
    }
  }

  /** Calls a function if a message belongs to the current job. */
  #ifCurrent(number: number, callback: (job: Job) => void): void {
    if (this.#job?.number === number) callback(this.#job)
  }

  #onResponse(job: Job, message: FromWorker & { readonly _tag: 'Response' }): void {
    const { status, headers, content, chunked, awaitsEnd } = message
    const ended = awaitsEnd ? () => this.#post({ _tag: 'End', job: job.number }) : undefined
    const body = chunked === undefined ? undefined : this.#createBody(job, chunked)
    this.#body = body
    job.settle({
      _tag: 'Answered',
      response: { status, headers, body: body ?? content },
      onEnd: ended,
    })
    // the callback of the job was not called
    if (job.isDisconnected) body?.close()
    if (body === undefined) this.#free()
  }

  #createBody(job: Job, { length, isFile }: Pick<WorkerBody, 'length' | 'isFile'>): WorkerBody {
    const producer = {
      ...this.#timeout,
      request: () => this.#post({ _tag: 'RequestChunk', job: job.number }),
      cancel: () => {
        this.#markDisconnected(job)
        this.#post({ _tag: 'Cancel', job: job.number })
      },
    }
    return new WorkerBody(length, producer, isFile)
  }

  #free(): void {
    this.#body?.detach()
    this.#body = undefined
    this.#job = undefined
    this.#owner.onFree(this)
  }
}

/** Milliseconds for which a worker without a job may take to exit. */
const exitTimeout = 1000

/** Node.js exits with 13 if a promise that a module awaits at top level never settles. */
const exitMessage = (code: number): string =>
  code === 13
    ? 'exit code 13: a promise awaited at the top level of its module never settled'
    : `exit code ${code}`
