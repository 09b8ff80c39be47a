/** The content of a part: octets as they are found, for the one who reads them. */
import type { Demand } from './demand.ts'

type Result = IteratorResult<Uint8Array, undefined>

interface Waiting {
  readonly give: (result: Result) => void
  readonly refuse: (error: unknown) => void
}

export class PartBody implements AsyncIterableIterator<Uint8Array> {
  readonly #demand: Demand
  #held: Uint8Array[] = []
  #waiting: Waiting | undefined = undefined
  #isOver = false
  #isDropped = false
  #failures: ReadonlyArray<unknown> = []

  constructor(demand: Demand) {
    this.#demand = demand
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Asked again only when it has settled. */
  next(): Promise<Result> {
    if (this.#failures.length > 0) return Promise.reject(this.#failures[0])
    const octets = this.#held.shift()
    if (octets !== undefined) return Promise.resolve({ done: false, value: octets })
    if (this.#isOver || this.#isDropped) return Promise.resolve(done)
    return new Promise((give, refuse) => {
      this.#waiting = { give, refuse }
      this.#demand.request()
    })
  }

  return(): Promise<Result> {
    this.drop()
    return Promise.resolve(done)
  }

  /** Nobody wants the rest. */
  drop(): void {
    this.#held = []
    if (this.#isOver || this.#isDropped) return
    this.#isDropped = true
    this.#demand.request()
  }

  add(octets: Uint8Array): void {
    if (this.#isDropped || octets.length === 0) return
    if (this.#waiting === undefined) this.#held.push(octets)
    else this.#settle(({ give }) => give({ done: false, value: octets }))
  }

  end(): void {
    this.#isOver = true
    this.#settle(({ give }) => give(done))
  }

  fail(error: unknown): void {
    if (this.#isOver) return
    this.#failures = [error]
    this.#held = []
    this.#settle(({ refuse }) => refuse(error))
  }

  #settle(by: (waiting: Waiting) => void): void {
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    this.#demand.satisfy()
    by(waiting)
  }
}

const done: Result = { done: true, value: undefined }
