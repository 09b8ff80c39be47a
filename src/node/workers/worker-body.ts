/**
 * Content that a worker makes while it is sent, seen from the event loop: each piece is asked for when the one before has been
 * taken up, so a slow client slows down the worker. The worker is busy until the content is at its end.
 */
import type { Pieces } from '../../interpreter/chunks.ts'

type Result = IteratorResult<Uint8Array, undefined>

/** The worker of a content. */
export interface BodyProducer {
  readonly request: () => void
  /** Nobody asks any more. The worker says when it has heard. */
  readonly cancel: () => void
  /** Milliseconds that it has for each piece; 0 is without end. */
  readonly timeout: number
  readonly onTimeout: () => void
}

export class WorkerBody implements Pieces {
  readonly length: number | undefined
  readonly isFile: boolean
  readonly #maker: BodyProducer
  #isOver = false
  /** What went wrong while nobody waited: whoever asks next must not take it for the end. */
  #failure: { readonly error: unknown } | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined
  #waiting:
    | { readonly resolve: (piece: Result) => void; readonly reject: (error: unknown) => void }
    | undefined = undefined

  constructor(length: number | undefined, maker: BodyProducer, isFile = false) {
    this.length = length
    this.isFile = isFile
    this.#maker = maker
  }

  next(): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure.error)
      if (this.#isOver) return resolve(end)
      this.#waiting = { resolve, reject }
      this.#limit()
      this.#maker.request()
    })
  }

  close(): void {
    if (this.#isOver) return
    this.#over()
    this.#waiting?.resolve(end)
    this.#waiting = undefined
    this.#limit()
    this.#maker.cancel()
  }

  /** A piece has come, or the end. */
  deliver(octets: Uint8Array | undefined): void {
    clearTimeout(this.#timer)
    if (octets === undefined) this.#isOver = true
    this.#waiting?.resolve(octets === undefined ? end : { done: false, value: octets })
    this.#waiting = undefined
  }

  /** Nothing more will come. */
  fail(error: unknown): void {
    if (this.#isOver) return
    this.#over()
    this.#failure = { error }
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }

  /** The worker has nothing to do with it any more. */
  detach(): void {
    this.#over()
  }

  #over(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #limit(): void {
    const { timeout, onTimeout } = this.#maker
    clearTimeout(this.#timer)
    if (timeout > 0) this.#timer = setTimeout(onTimeout, timeout)
  }
}

const end: Result = { done: true, value: undefined }
