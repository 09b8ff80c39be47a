/**
 * A response body that a worker produces while the main thread sends it. Each chunk is requested once the previous one is sent, so a
 * slow client slows down the worker. The worker is busy until the end of the body.
 */
import type { ChunkSource } from '../../interpreter/chunks.ts'

type Result = IteratorResult<Uint8Array, undefined>

/** The worker that produces a body. */
export interface BodyProducer {
  /** Requests the next chunk. */
  readonly request: () => void
  /** Requests no further chunk. The worker confirms this. */
  readonly cancel: () => void
  /** Maximum milliseconds for each chunk; 0 disables the timeout. */
  readonly timeout: number
  readonly onTimeout: () => void
}

export class WorkerBody implements ChunkSource {
  readonly length: number | undefined
  readonly isFile: boolean
  readonly #producer: BodyProducer
  #hasEnded = false
  /** An error that occurred while no read was pending: the next read must not return the end. */
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
    this.#end()
    this.#pendingRead?.resolve(end)
    this.#pendingRead = undefined
    // the worker must confirm the cancellation in time
    this.#startTimer()
    this.#producer.cancel()
  }

  /** Delivers a requested chunk; `undefined` at the end of the body. */
  deliver(bytes: Uint8Array | undefined): void {
    clearTimeout(this.#timer)
    if (bytes === undefined) this.#hasEnded = true
    this.#pendingRead?.resolve(bytes === undefined ? end : { done: false, value: bytes })
    this.#pendingRead = undefined
  }

  /** Reports that the worker has failed. */
  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.#end()
    this.#failure = { error }
    this.#pendingRead?.reject(error)
    this.#pendingRead = undefined
  }

  /** Called when the worker no longer works for this body. */
  detach(): void {
    this.#end()
  }

  #end(): void {
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
