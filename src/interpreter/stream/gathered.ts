/**
 * Gathers the elements of a source into pieces. What is ready before the event loop goes on leaves in one write: against a
 * write for each element, 10,000 elements take less than half of the time. An element that is alone leaves at once.
 */
import type { Pieces } from '../pieces.ts'
import { isThenable } from '../later.ts'
import type { Asked } from './source.ts'

/** Octets, or UTF-16 units of a text, at which a piece is full. */
const full = 32 * 1024

/** How elements become octets. */
export interface Framing {
  /** In front of the first element, or of the end. */
  readonly begin: string
  /** Between two elements. */
  readonly between: string
  readonly end: string
  readonly write: (element: unknown) => string | Uint8Array
}

type Piece = IteratorResult<string | Uint8Array, undefined>

/** Pieces of a source; the source is not asked before they are. */
export const gathered = (source: Asked, framing: Framing): Pieces => new Gathering(source, framing)

class Gathering implements Pieces {
  readonly length = undefined
  readonly #source: Asked
  readonly #framing: Framing
  #text = ''
  #octets: Uint8Array[] = []
  #size = 0
  #isFirst = true
  #hasGiven = false
  #isOver = false
  #isClosed = false
  #isAsking = false
  #isFlushing = false
  #failure: { readonly error: unknown } | undefined = undefined
  #give: ((piece: Piece) => void) | undefined = undefined
  #refuse: ((error: unknown) => void) | undefined = undefined

  constructor(source: Asked, framing: Framing) {
    this.#source = source
    this.#framing = framing
  }

  next(): Promise<Piece> {
    return new Promise((resolve, reject) => {
      this.#give = resolve
      this.#refuse = reject
      if (this.#size > 0) this.#soon()
      if (!this.#isAsking) this.#ask()
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#isOver || this.#failure !== undefined) return
    try {
      const left = this.#source.return?.()
      // nobody is left to be told
      if (isThenable(left)) left.then(undefined, () => undefined)
    } catch {}
  }

  /** Asks for elements until a piece is full, or one of them is still to come. */
  #ask(): void {
    try {
      while (!this.#isClosed && !this.#isOver && this.#size < full) {
        const result = this.#source.next()
        if (isThenable(result)) {
          this.#isAsking = true
          result.then(this.#come, this.#fail)
          return
        }
        this.#take(result)
      }
      this.#flush()
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #come = (result: IteratorResult<unknown, unknown>): void => {
    this.#isAsking = false
    try {
      this.#take(result)
    } catch (error) {
      return this.#fail(error)
    }
    if (this.#isOver || this.#size >= full || this.#give === undefined) return this.#flush()
    this.#soon()
    this.#ask()
  }

  readonly #fail = (error: unknown): void => {
    this.#isAsking = false
    this.#failure = { error }
    this.#flush()
  }

  #take(result: IteratorResult<unknown, unknown>): void {
    const { begin, between, end, write } = this.#framing
    if (result.done === true) {
      this.#isOver = true
      return this.#add(this.#isFirst ? begin + end : end)
    }
    const element = write(result.value)
    this.#add(this.#isFirst ? begin : between)
    this.#isFirst = false
    this.#add(element)
  }

  #add(octets: string | Uint8Array): void {
    this.#size += octets.length
    if (typeof octets === 'string') this.#text += octets
    else {
      if (this.#text !== '') this.#octets.push(encoder.encode(this.#text))
      this.#text = ''
      this.#octets.push(octets)
    }
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
    if (give === undefined) return
    // nothing has left yet: what is there goes down with the failure, which can still be an answer of its own
    const isLost = this.#failure !== undefined && !this.#hasGiven
    if (this.#size > 0 && !isLost) {
      this.#hasGiven = true
      this.#settle()
      return give({ done: false, value: this.#piece() })
    }
    if (this.#failure !== undefined) {
      const refuse = this.#refuse
      this.#settle()
      return refuse?.(this.#failure.error)
    }
    if (this.#isOver || this.#isClosed) {
      this.#settle()
      give({ done: true, value: undefined })
    }
  }

  #settle(): void {
    this.#give = undefined
    this.#refuse = undefined
  }

  #piece(): string | Uint8Array {
    const text = this.#text
    const octets = this.#octets
    this.#text = ''
    this.#octets = []
    this.#size = 0
    if (octets.length === 0) return text
    if (text !== '') octets.push(encoder.encode(text))
    const [only] = octets
    return octets.length === 1 && only !== undefined ? only : joined(octets)
  }
}

const encoder = new TextEncoder()

const joined = (octets: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(octets.reduce((sum, { length }) => sum + length, 0))
  octets.reduce((at, one) => {
    whole.set(one, at)
    return at + one.length
  }, 0)
  return whole
}
