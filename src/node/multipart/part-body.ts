/** Streams part bodies, with back-pressure between the parser and the reader. */
import type { PartChunk } from '../../interpreter/request-body/multipart/limited-content.ts'
import {
  LimitedContent,
  noMoreChunks,
} from '../../interpreter/request-body/multipart/limited-content.ts'

/** Controls the parser, which receives the next chunk only while a reader is waiting. */
export interface Demand {
  /** Called when the reader has consumed all parsed data and needs more. */
  readonly request: () => void
  /** Called when the reader is no longer waiting for data. */
  readonly satisfy: () => void
}

interface PendingRead {
  readonly resolve: (result: PartChunk) => void
  readonly reject: (error: unknown) => void
}

/** The body of one part. The parser adds chunks to the body, and the reader of the part iterates over the chunks. */
export class PartBody extends LimitedContent {
  readonly #demand: Demand
  readonly #pendingReads: PendingRead[] = []
  #buffered: Uint8Array[] = []
  #hasEnded = false
  #isDropped = false
  #errors: ReadonlyArray<unknown> = []

  constructor(demand: Demand) {
    super()
    this.#demand = demand
  }

  next(): Promise<PartChunk> {
    if (this.#errors.length > 0) return Promise.reject(this.#errors[0])
    const chunk = this.#buffered.shift()
    if (chunk !== undefined)
      return this.#count(chunk)
        ? Promise.resolve({ done: false, value: chunk })
        : Promise.reject(this.#errors[0])
    if (this.#hasEnded || this.#isDropped) return Promise.resolve(noMoreChunks)
    return new Promise((resolve, reject) => {
      this.#pendingReads.push({ resolve, reject })
      this.#demand.request()
    })
  }

  return(): Promise<PartChunk> {
    this.drop()
    return Promise.resolve(noMoreChunks)
  }

  /** Discards the rest of the body. */
  drop(): void {
    this.#buffered = []
    if (this.#hasEnded || this.#isDropped) return
    this.#isDropped = true
    this.#settle(({ resolve }) => resolve(noMoreChunks))
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
    this.#settle(({ resolve }) => resolve(noMoreChunks))
  }

  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.#errors = [error]
    this.#buffered = []
    this.#settle(({ reject }) => reject(error))
  }

  /** Counts the bytes of a chunk that is about to be read. If they exceed the limit, fails, drops the body and returns `false`. */
  #count(chunk: Uint8Array): boolean {
    const error = this.count(chunk)
    if (error === undefined) return true
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
