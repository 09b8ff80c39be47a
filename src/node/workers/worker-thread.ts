/** Represents workers and their response bodies in the main thread. */
import type { ChunkSource } from '../../interpreter/exchange.ts'
import { Worker } from 'node:worker_threads'
import type { LoggerByCategory } from '../../compiler/settings/logger.ts'
import { mapMembers } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { LoadOptions } from '../settings/load-settings.ts'
import type { Job, FromWorker, ToWorker, WorkerData } from './messages.ts'
import { fromErrorMessage } from './error-message.ts'
import { toShared } from './messages.ts'
import { isError } from '../../http/platform-value.ts'

type Result = IteratorResult<Uint8Array, undefined>

/** An interface to the worker that produces a response body. */
export interface BodyProducer {
  /** Requests the next chunk from the worker. */
  readonly request: () => void
  /** Cancels the body. The worker confirms the cancellation. */
  readonly cancel: () => void
  /** Maximum time, in milliseconds, for the worker to deliver a chunk or to confirm a cancellation. `0` disables the timeout. */
  readonly timeout: number
  readonly onTimeout: () => void
}

/** A response body that a worker produces chunk by chunk. */
export class WorkerBody implements ChunkSource {
  readonly length: number | undefined
  readonly isFile: boolean
  readonly #producer: BodyProducer
  #hasEnded = false
  /** An error that occurred while no read was pending. The next read rejects with this error. */
  #failure: { readonly error: unknown } | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined
  #pendingRead:
    | { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void }
    | undefined = undefined

  constructor(length: number | undefined, producer: BodyProducer, isFile = false) {
    this.length = length
    this.isFile = isFile
    this.#producer = producer
  }

  next(): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure.error)
      if (this.#hasEnded) return resolve(end)
      this.#pendingRead = { resolve, reject }
      this.#startTimer()
      this.#producer.request()
    })
  }

  close(): void {
    if (this.#hasEnded) return
    this.detach()
    this.#pendingRead?.resolve(end)
    this.#pendingRead = undefined
    // the timer runs until the worker confirms the cancellation
    this.#startTimer()
    this.#producer.cancel()
  }

  /** Delivers a requested chunk, or `undefined` at the end of the body. */
  deliver(bytes: Uint8Array | undefined): void {
    clearTimeout(this.#timer)
    if (bytes === undefined) this.#hasEnded = true
    this.#pendingRead?.resolve(bytes === undefined ? end : { done: false, value: bytes })
    this.#pendingRead = undefined
  }

  /**
   * Called when the worker or the source of the body has failed. Rejects the pending read, or the next read if no read is pending.
   */
  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.detach()
    this.#failure = { error }
    this.#pendingRead?.reject(error)
    this.#pendingRead = undefined
  }

  /** Called when the worker has stopped producing this body. */
  detach(): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
  }

  #startTimer(): void {
    const { timeout, onTimeout } = this.#producer
    clearTimeout(this.#timer)
    if (timeout > 0) this.#timer = setTimeout(onTimeout, timeout)
  }
}

const end: Result = { done: true, value: undefined }

/** Options for a worker: the exported route tree that the worker runs, and the environment of the worker. */
export interface WorkerThreadOptions {
  /** The program of the worker. */
  readonly file: URL
  readonly module: string
  readonly export: string
  readonly settings: Settings
  readonly sources: LoadOptions
  readonly loggerOf: LoggerByCategory
  /** Deletes files left behind by a worker that has exited. `thread` is the thread ID of the worker. */
  readonly sweep: (thread: number) => Promise<void> | undefined
}

/** Receives events from a worker. */
export interface WorkerOwner {
  readonly onReady: (thread: WorkerThread, operations: ReadonlyArray<string>) => void
  /** Called when the worker has finished its job. */
  readonly onFree: (thread: WorkerThread) => void
  /** Called once when the worker has exited, even if it was stopped deliberately. */
  readonly onExit: (thread: WorkerThread, cause: Error) => void
}

/** A worker that runs one job at a time and reports events to its owner. */
export class WorkerThread {
  readonly #worker: Worker
  readonly #owner: WorkerOwner
  readonly #loggerOf: LoggerByCategory
  readonly #disconnectedJob = new SharedArrayBuffer(4)
  #job: Job | undefined = undefined
  /** The response body of the current job. */
  #body: WorkerBody | undefined = undefined
  /** The timeout of the current job. It also applies to each chunk of the response body. */
  #timeout: Pick<BodyProducer, 'timeout' | 'onTimeout'> = { timeout: 0, onTimeout: () => undefined }
  #cause: Error | undefined = undefined
  #swept: Promise<void> | undefined = undefined
  isReady = false

  constructor(options: WorkerThreadOptions, owner: WorkerOwner) {
    const { file, loggerOf, settings, sources, module, export: name, sweep } = options
    const workerData: WorkerData = {
      module,
      export: name,
      settings,
      sources,
      disconnectedJob: this.#disconnectedJob,
    }
    this.#owner = owner
    this.#loggerOf = loggerOf
    this.#worker = new Worker(file, {
      workerData,
      name: 'espalier',
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(1, Math.ceil(settings['fw.worker.heap'] / 2 ** 20)),
      },
    })
    const { threadId } = this.#worker
    this.#worker.on('message', (message: FromWorker) => this.#onMessage(message))
    this.#worker.on('error', (error: unknown) => {
      this.#cause ??= isError(error) ? error : new Error(`the worker threw ${String(error)}`)
    })
    // `exit` is emitted after every error, and also after `process.exit` in the worker
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

  /** Runs a job. Throws if the request cannot be cloned. In that case, the worker remains free. */
  run(job: Job, timeout: number, onTimeout: () => void): void {
    const { body, startTime } = job.request
    // the body is copied, because its buffer may also contain other requests
    const copy = '_tag' in body ? body : new Uint8Array(body)
    if (job.isAborted) this.#markDisconnected(job)
    this.#post(
      {
        _tag: 'Run',
        job: job.number,
        request: { ...job.request, body: copy, startTime: toShared(startTime) },
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
      this.#post({ _tag: 'End', job: job.number })
    })
    job.startTimer(timeout, onTimeout)
  }

  /** Marks a job as disconnected in shared memory, which the worker can read even while it is running the job. */
  #markDisconnected(job: Job): void {
    Atomics.store(new Int32Array(this.#disconnectedJob), 0, job.number)
  }

  /** Ends the worker. An idle worker exits by itself, whereas a busy worker is terminated. Resolves when the worker has exited. */
  async close(): Promise<void> {
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve))
    const timer = setTimeout(() => this.stop(), exitTimeout)
    if (this.isReady && this.#job === undefined) this.#post({ _tag: 'Close' })
    else this.stop()
    await exited
    await this.#swept
    clearTimeout(timer)
  }

  /** Terminates the worker immediately. `cause` is the error passed to `onExit`. */
  stop(cause?: Error): void {
    this.#cause ??= cause
    void this.#worker.terminate()
  }

  /** Notifies the worker that the server is shutting down. */
  notifyStopping(): void {
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
        return this.#loggerOf(message.category)[message.level](
          mapMembers(message.members, fromErrorMessage),
          message.message,
        )
      case 'Response':
        return this.#ifCurrent(message.job, (job) => this.#onResponse(job, message))
      case 'Chunk':
        return this.#ifCurrent(message.job, () => {
          this.#body?.deliver(message.bytes)
          if (message.bytes === undefined) this.#free()
        })
      case 'BodyFailed':
        return this.#ifCurrent(message.job, () => {
          this.#body?.fail(
            new Error(`the worker failed to produce the response body: ${message.reason}`, {
              cause: fromErrorMessage(message.error),
            }),
          )
          this.#free()
        })
      case 'Cancelled':
        return this.#ifCurrent(message.job, () => this.#free())
    }
  }

  /** Calls `callback` with the current job if the job has the given number. */
  #ifCurrent(number: number, callback: (job: Job) => void): void {
    if (this.#job?.number === number) callback(this.#job)
  }

  #onResponse(job: Job, message: FromWorker & { readonly _tag: 'Response' }): void {
    const { status, headers, body: bytes, chunked, awaitsEnd } = message
    const onEnd = awaitsEnd ? () => this.#post({ _tag: 'End', job: job.number }) : undefined
    const body = chunked === undefined ? undefined : this.#createBody(job, chunked)
    this.#body = body
    job.settle({
      _tag: 'Responded',
      response: { status, headers, body: body ?? bytes },
      onEnd,
    })
    // after a disconnect, `settle` does not call the callback of the job
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

/** Maximum time, in milliseconds, for an idle worker to exit. */
const exitTimeout = 1000

/** Describes an exit code. Node.js exits with 13 if a promise awaited at the top level of a module never settles. */
const exitMessage = (code: number): string =>
  code === 13 ? 'exit code 13 (a top-level await in its module never settled)' : `exit code ${code}`
