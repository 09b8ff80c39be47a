/**
 * Defines the protocol between the main thread and its workers: the messages, functions that convert times between the clocks of
 * different threads, and the class that represents a dispatched request in the main thread.
 */
import type { DispatchedRequest, DispatchResult } from '../../interpreter/dispatched-request.ts'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { ErrorMessage } from './error-message.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { LoadOptions } from '../settings/load-settings.ts'
import type { Exchange } from '../../interpreter/exchange.ts'

/** The data passed to a worker at startup as `workerData`. */
export interface WorkerData {
  readonly module: string
  readonly export: string
  readonly settings: Settings
  /** The options with which the main thread loaded its profile and properties. */
  readonly sources: LoadOptions
  /**
   * The number of the job that was most recently marked as disconnected. A job is marked if its client disconnects or half-closes
   * the connection, or if its response body is cancelled.
   *
   * The number is stored in shared memory, because a worker cannot receive messages while it is busy.
   */
  readonly disconnectedJob: SharedArrayBuffer
}

/** A message from the main thread to a worker. */
export type ToWorker =
  /** Runs a job. */
  | { readonly _tag: 'Run'; readonly job: number; readonly request: DispatchedRequest }
  /** Reports that the client has half-closed its connection. The worker then aborts the signal of the request. */
  | { readonly _tag: 'Abort'; readonly job: number }
  /** Requests the next chunk of the response body. */
  | { readonly _tag: 'RequestChunk'; readonly job: number }
  /** Cancels the response body, including any pending request for a chunk. */
  | { readonly _tag: 'Cancel'; readonly job: number }
  /** Reports that the request has ended, or that the client has disconnected. */
  | { readonly _tag: 'End'; readonly job: number }
  /** Reports that the server is shutting down. */
  | { readonly _tag: 'Stopping' }
  /** Ends the worker. */
  | { readonly _tag: 'Close' }

/** A message from a worker to the main thread. */
export type FromWorker =
  /** Reports that the module has been loaded. `operations` lists the titles of its operations in the order of the tree. */
  | { readonly _tag: 'Ready'; readonly operations: ReadonlyArray<string> }
  | {
      readonly _tag: 'Response'
      readonly job: number
      readonly status: number
      readonly headers: ReadonlyArray<string>
      /** The body if it is sent as a whole, otherwise `undefined`. */
      readonly body: Uint8Array | undefined
      /** For a body that is sent in chunks, its length in bytes, if known, and whether it is a file. Otherwise `undefined`. */
      readonly chunked:
        | { readonly length: number | undefined; readonly isFile: boolean }
        | undefined
      /** Whether callbacks in the worker are waiting for the end of the request. */
      readonly awaitsEnd: boolean
    }
  /** Contains the requested chunk. `bytes` is `undefined` at the end of the body. */
  | { readonly _tag: 'Chunk'; readonly job: number; readonly bytes: Uint8Array | undefined }
  /** Reports that the source of the body has failed. `reason` is the error as a string. */
  | {
      readonly _tag: 'BodyFailed'
      readonly job: number
      readonly reason: string
      readonly error: ErrorMessage
    }
  /** Confirms a `Cancel` message. */
  | { readonly _tag: 'Cancelled'; readonly job: number }
  | {
      readonly _tag: 'Log'
      readonly category: string
      readonly level: Exclude<keyof Logger, 'child'>
      readonly members: Readonly<Record<string, unknown>>
      readonly message: string
    }

/** Sends a message to the main thread. The buffers in `transferred` are transferred instead of being copied. */
export type PostMessage = (message: FromWorker, transferred?: ReadonlyArray<ArrayBuffer>) => void

/**
 * The difference, in milliseconds, between two clocks: the monotonic system clock, which all threads share, and
 * `performance.now()`, which starts at 0 in each thread.
 *
 * The difference is measured multiple times, and the fastest measurement is used. Measurements during which the thread was preempted
 * were wrong by up to 20 ms.
 */
const offset = Array.from({ length: 5 }, () => {
  const before = process.hrtime.bigint()
  const now = performance.now()
  const duration = Number(process.hrtime.bigint() - before) / 1e6
  return { duration, offset: Number(before) / 1e6 - now + duration / 2 }
}).reduce((best, other) => (other.duration < best.duration ? other : best)).offset

/** Converts a time from the clock of this thread, `performance.now()`, to the clock that all threads share. */
export const toShared = (time: number): number => time + offset

/**
 * Converts a time from the clock that all threads share to the clock of this thread, `performance.now()`. The result is negative
 * for times before the start of this thread.
 */
export const fromShared = (time: number): number => time - offset

/** A request that is dispatched to a worker, as represented in the main thread. */
export class Job {
  readonly number: number
  readonly request: DispatchedRequest
  readonly #signal: AbortSignal
  readonly #callback: (result: DispatchResult) => void
  /** Whether the client disconnected before the job settled. */
  isDisconnected = false
  #isSettled = false
  #timer: NodeJS.Timeout | undefined = undefined
  #onAbort: (() => void) | undefined = undefined
  #onDisconnect: (() => void) | undefined = undefined

  constructor(
    number: number,
    request: DispatchedRequest,
    exchange: Pick<Exchange, 'signal' | 'onEnd'>,
    callback: (result: DispatchResult) => void,
  ) {
    this.number = number
    this.request = request
    this.#signal = exchange.signal()
    this.#callback = callback
    exchange.onEnd(() => {
      if (this.#isSettled) return
      this.isDisconnected = true
      this.#onDisconnect?.()
    })
  }

  /** Whether the client has half-closed its connection or disconnected. */
  get isAborted(): boolean {
    return this.#signal.aborted
  }

  /** Calls `callback` if the client half-closes its connection before the job settles. */
  onHalfClose(callback: () => void): void {
    // the signal may abort before `onEnd` reports that the connection is closed
    const onAbort = (): void =>
      queueMicrotask(() => {
        if (!this.isDisconnected && !this.#isSettled) callback()
      })
    this.#onAbort = onAbort
    this.#signal.addEventListener('abort', onAbort)
  }

  /** Calls `callback` if the client disconnects before the job settles. Replaces any callback that was set earlier. */
  onDisconnect(callback: () => void): void {
    this.#onDisconnect = callback
  }

  /** Calls `onTimeout` after `milliseconds` unless the job has settled by then. `0` disables the timeout. */
  startTimer(milliseconds: number, onTimeout: () => void): void {
    if (milliseconds > 0) this.#timer = setTimeout(onTimeout, milliseconds)
  }

  /** Settles the job. Calls the callback that was passed to the constructor, unless the client has disconnected. */
  settle(result: DispatchResult): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#timer)
    if (this.#onAbort !== undefined) this.#signal.removeEventListener('abort', this.#onAbort)
    this.#onAbort = undefined
    this.#onDisconnect = undefined
    if (!this.isDisconnected) this.#callback(result)
  }
}
