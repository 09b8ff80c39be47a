/** Streams part bodies, with back-pressure between the parser and the reader. */
import type { PartContent } from '../../interpreter/platform.ts'

/** Controls the parser, which receives the next chunk only while a reader is waiting. */
export interface Demand {
  /** Called when the reader has consumed all parsed data and needs more. */
  readonly request: () => void
  /** Called when the reader is no longer waiting for data. */
  readonly satisfy: () => void
}

type Result = IteratorResult<Uint8Array, undefined>

interface PendingRead {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** The body of one part. The parser adds chunks to the body, and the reader of the part iterates over the chunks. */
export class PartBody implements PartContent {
  readonly #demand: Demand
  readonly #pendingReads: PendingRead[] = []
  #buffered: Uint8Array[] = []
  #remaining = Infinity
  #createError: () => Error = () => new RangeError('limit exceeded')
  #hasEnded = false
  #isDropped = false
  #errors: ReadonlyArray<unknown> = []

  constructor(demand: Demand) {
    this.#demand = demand
  }

  limit(maximum: number, createError: () => Error): this {
    this.#remaining = maximum
    this.#createError = createError
    return this
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    if (this.#errors.length > 0) return Promise.reject(this.#errors[0])
    const chunk = this.#buffered.shift()
    if (chunk !== undefined)
      return this.#count(chunk)
        ? Promise.resolve({ done: false, value: chunk })
        : Promise.reject(this.#errors[0])
    if (this.#hasEnded || this.#isDropped) return Promise.resolve(done)
    return new Promise((resolve, reject) => {
      this.#pendingReads.push({ resolve, reject })
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
    this.#settle(({ resolve }) => resolve(done))
    this.#demand.request()
  }

  add(chunk: Uint8Array): void {
    if (this.#isDropped || chunk.length === 0) return
    const [read] = this.#pendingReads
    if (read === undefined) this.#buffered.push(chunk)
    else if (this.#count(chunk)) {
      this.#pendingReads.shift()
      if (this.#pendingReads.length === 0) this.#demand.satisfy()
      read.resolve({ done: false, value: chunk })
    }
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

  /** Counts the bytes of a chunk that is about to be read. If they exceed the limit, fails, drops the body and returns `false`. */
  #count({ length }: Uint8Array): boolean {
    this.#remaining -= length
    if (this.#remaining >= 0) return true
    const error = this.#createError()
    this.#errors = [error]
    this.#settle(({ reject }) => reject(error))
    this.drop()
    return false
  }

  #settle(settle: (read: PendingRead) => void): void {
    if (this.#pendingReads.length === 0) return
    this.#demand.satisfy()
    for (const read of this.#pendingReads.splice(0)) settle(read)
  }
}

const done: Result = { done: true, value: undefined }
