/**
 * Gathers the elements of a source into pieces. What is ready before the event loop goes on leaves in one write: against a
 * write for each element, 10,000 elements take less than half of the time. An element that is alone leaves at once.
 *
 * The next element is asked for when the one before has been written to a piece, and the first of the next piece while the
 * one before is on its way; so of a source whose reader has stopped, one element waits here at most.
 */
import type { Pieces } from '../pieces.ts'
import { isThenable } from '../../content/thenable.ts'
import { leave } from '../../content/stream/leave.ts'
import { Piece } from './piece.ts'
import type { Asked } from '../../content/stream/asked.ts'
import type { Framing } from '../../content/stream/framings.ts'

/** Octets at which a piece is full. */
const full = 32 * 1024

/** Elements in a row that may write nothing before the event loop has its turn. */
const mostBlank = 1000

type Result = IteratorResult<string | Uint8Array, undefined>

/** Pieces of a source; the source is not asked before they are. */
export const gathered = (source: Asked, framing: Framing): Pieces => new Gathering(source, framing)

class Gathering implements Pieces {
  readonly length = undefined
  readonly #source: Asked
  readonly #framing: Framing
  readonly #piece = new Piece()
  #isFirst = true
  #hasGiven = false
  /** Whether the source is at its end. */
  #isOver = false
  /** Whether the source has ended or failed by itself, so that there is nothing to leave. */
  #isSpent = false
  #isClosed = false
  /** Whether something is to come: an element, or a turn of the event loop. */
  #isAsking = false
  /** Whether the source is running just now. */
  #isInside = false
  #isFlushing = false
  #blank = 0
  #failure: { readonly error: unknown } | undefined = undefined
  #give: ((piece: Result) => void) | undefined = undefined
  #refuse: ((error: unknown) => void) | undefined = undefined

  constructor(source: Asked, framing: Framing) {
    this.#source = source
    this.#framing = framing
  }

  next(): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#give = resolve
      this.#refuse = reject
      this.#ask()
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#piece.take()
    this.#leave()
    this.#flush()
  }

  get #goesOn(): boolean {
    return !this.#isClosed && !this.#isOver && this.#failure === undefined
  }

  /** Asks for elements until a piece is full, or one of them is still to come. */
  #ask(): void {
    while (this.#goesOn && !this.#isAsking && this.#piece.size < full) {
      const result = this.#blank < mostBlank ? this.#next() : this.#rest()
      if (isThenable(result)) {
        this.#isAsking = true
        Promise.resolve(result).then(this.#come, this.#lost)
      } else if (result !== undefined) this.#take(result)
    }
    if (!this.#isAsking) this.#flush()
    else if (!this.#piece.isEmpty) this.#soon()
  }

  /** What the source says; `undefined` when it fails. */
  #next(): ReturnType<Asked['next']> | undefined {
    this.#isInside = true
    try {
      return this.#source.next()
    } catch (error) {
      this.#isSpent = true
      this.#fail(error)
      return undefined
    } finally {
      this.#isInside = false
      if (this.#isClosed) this.#leave()
    }
  }

  readonly #come = (result: IteratorResult<unknown, unknown>): void => {
    this.#isAsking = false
    this.#take(result)
    if (this.#give !== undefined) this.#ask()
  }

  readonly #lost = (error: unknown): void => {
    this.#isAsking = false
    this.#isSpent = true
    this.#fail(error)
    this.#flush()
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
  }

  #take(result: IteratorResult<unknown, unknown>): void {
    if (!this.#goesOn) return
    const { begin, between, write } = this.#framing
    try {
      if (result.done === true) {
        this.#isOver = true
        this.#isSpent = true
        this.#piece.add(this.#isFirst ? begin : '')
        return this.#piece.add(this.#framing.end)
      }
      const element = write(result.value)
      const before = this.#isFirst ? begin : between
      this.#isFirst = false
      this.#blank = before.length + element.length > 0 ? 0 : this.#blank + 1
      this.#piece.add(before)
      this.#piece.add(element)
    } catch (error) {
      this.#fail(error)
      this.#leave()
    }
  }

  /** Tells the source that nobody asks any more, when it is not running: a generator that runs does not hear it. */
  #leave(): void {
    if (this.#isSpent || this.#isInside) return
    this.#isSpent = true
    leave(this.#source)
  }

  /** Goes on in the next turn of the event loop. */
  #rest(): undefined {
    this.#blank = 0
    this.#isAsking = true
    setImmediate(() => {
      this.#isAsking = false
      this.#ask()
    })
  }

  /** Lets go of what is there as soon as nothing more is ready: behind all promises that are settled by now. */
  #soon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    process.nextTick(this.#flushed)
  }

  readonly #flushed = (): void => {
    this.#isFlushing = false
    this.#flush()
  }

  #flush(): void {
    const give = this.#give
    const refuse = this.#refuse
    if (give === undefined) return
    // nothing has left yet: what is there goes down with the failure, which can still be an answer of its own
    const isLost = this.#failure !== undefined && !this.#hasGiven
    if (!this.#piece.isEmpty && !isLost) {
      this.#hasGiven = true
      this.#settle()
      give({ done: false, value: this.#piece.take() })
    } else if (this.#failure !== undefined && !this.#isClosed) {
      this.#settle()
      refuse?.(this.#failure.error)
    } else if (this.#isOver || this.#isClosed) {
      this.#settle()
      give({ done: true, value: undefined })
    }
  }

  #settle(): void {
    this.#give = undefined
    this.#refuse = undefined
  }
}
