/** Streams part bodies, with back-pressure between the parser and the reader. */

/** Tracks whether a reader is waiting for data. The parser receives the next chunk only while a reader is waiting. */
export class Demand {
  #isRequested = false
  #resume: (() => void) | undefined = undefined

  /** Called when the reader has consumed all parsed data and needs more. */
  request(): void {
    this.#isRequested = true
    const resume = this.#resume
    this.#resume = undefined
    resume?.()
  }

  /** Records that the reader is no longer waiting for data. */
  satisfy(): void {
    this.#isRequested = false
  }

  /** Returns a promise that resolves on the next call to `request`, or `undefined` if a reader is already waiting. */
  wait(): Promise<void> | undefined {
    if (this.#isRequested) return undefined
    return new Promise((resolve) => {
      this.#resume = resolve
    })
  }
}

type Result = IteratorResult<Uint8Array, undefined>

interface PendingRead {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** The body of one part. The parser adds chunks to the body, and the reader of the part iterates over the chunks. */
export class PartBody implements AsyncIterableIterator<Uint8Array> {
  readonly #demand: Demand
  #buffered: Uint8Array[] = []
  #pendingRead: PendingRead | undefined = undefined
  #hasEnded = false
  #isDropped = false
  #errors: ReadonlyArray<unknown> = []

  constructor(demand: Demand) {
    this.#demand = demand
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Returns the next chunk. Must not be called again until the returned promise has settled. */
  next(): Promise<Result> {
    if (this.#errors.length > 0) return Promise.reject(this.#errors[0])
    const chunk = this.#buffered.shift()
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk })
    if (this.#hasEnded || this.#isDropped) return Promise.resolve(done)
    return new Promise((resolve, reject) => {
      this.#pendingRead = { resolve, reject }
      this.#demand.request()
    })
  }

  return(): Promise<Result> {
    this.drop()
    return Promise.resolve(done)
  }

  /** Discards the rest of the body. */
  drop(): void {
    this.#buffered = []
    if (this.#hasEnded || this.#isDropped) return
    this.#isDropped = true
    this.#demand.request()
  }

  add(chunk: Uint8Array): void {
    if (this.#isDropped || chunk.length === 0) return
    if (this.#pendingRead === undefined) this.#buffered.push(chunk)
    else this.#settle(({ resolve }) => resolve({ done: false, value: chunk }))
  }

  end(): void {
    this.#hasEnded = true
    this.#settle(({ resolve }) => resolve(done))
  }

  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.#errors = [error]
    this.#buffered = []
    this.#settle(({ reject }) => reject(error))
  }

  #settle(settle: (read: PendingRead) => void): void {
    const read = this.#pendingRead
    if (read === undefined) return
    this.#pendingRead = undefined
    this.#demand.satisfy()
    settle(read)
  }
}

const done: Result = { done: true, value: undefined }
