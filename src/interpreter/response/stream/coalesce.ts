/**
 * Combines the elements of a source into chunks.
 *
 * Elements that are available before the event loop continues leave in one write. Compared with one write per element, 10,000
 * elements take less than half of the time. A single element leaves immediately.
 *
 * An element is requested when the previous one is in a chunk. The first element of the next chunk is requested while the
 * previous chunk is being sent. So at most one element is buffered if the client stops reading.
 *
 * A source that is never asynchronous runs within the turn budget of its server. When the budget is used up, the source continues
 * in a later turn. A chunk is filled in at most two turns, so that slow elements are sent, too.
 */
import type { ChunkSource } from '../../chunks.ts'
import { isThenable, closeIterator } from '../../../body/stream/pull-iterator.ts'
import { ChunkBuilder } from './chunk-builder.ts'
import type { TurnBudget } from './turn-budget.ts'
import type { PullIterator } from '../../../body/stream/pull-iterator.ts'
import type { Framing } from '../../../body/stream/framings.ts'

/** Bytes at which a chunk is sent. */
const fullSize = 32 * 1024

/** Maximum number of consecutive elements that write nothing in one turn of the event loop. */
const maxEmptyElements = 1000

type Result = IteratorResult<string | Uint8Array, undefined>

/**
 * Milliseconds between two time measurements, each of which costs about 70 ns. If elements take longer, the time is measured
 * after every element.
 */
const measureInterval = 0.1

/** Maximum number of elements between two measurements. */
const maxUnmeasured = 64

/** Elements that a source may return synchronously without a measurement after it was asynchronous. */
const unmeasuredAfterWait = 2

/** The part of a turn budget that a source uses. */
export type ChunkBudget = Pick<TurnBudget, 'hasTime' | 'defer'>

/** A budget without a limit, for sources that are read outside of a server. */
const unlimited: ChunkBudget = { hasTime: () => true, defer: setImmediate }

/** Reads a source in chunks. The source is not read before the first call of `next`. */
export const coalesce = (
  source: PullIterator,
  framing: Framing,
  budget: ChunkBudget = unlimited,
): ChunkSource => new CoalescingSource(source, framing, budget)

class CoalescingSource implements ChunkSource {
  readonly length = undefined
  readonly #source: PullIterator
  readonly #framing: Framing
  readonly #budget: ChunkBudget
  readonly #chunk = new ChunkBuilder()
  /** Whether the next element is the first. */
  #isFirst = true
  /** Whether a chunk has been returned. */
  #hasReturnedChunk = false
  /** Whether the source has ended. */
  #isOver = false
  /** Whether the source has ended, failed or been closed, so that it need not be closed. */
  #isSourceDone = false
  #isClosed = false
  /** Whether an element or a turn of the event loop is pending. */
  #isPending = false
  /** Whether a call of the source's `next` is on the stack. */
  #isInsideSource = false
  #isFlushScheduled = false
  /** Consecutive elements that wrote nothing. */
  #emptyElements = 0
  /** Whether the source waits for a later turn. */
  #isDeferred = false
  /** Elements until the next measurement, and between two measurements. */
  #unmeasured = unmeasuredAfterWait
  #stride = 1
  #measuredAt = 0
  /** The size at which reading stops: 0 if the budget is used up, so that the loop over elements has one condition for both. */
  #sizeLimit = fullSize
  /** Whether the chunk was started in an earlier turn. */
  #isContinued = false
  /** Whether the chunk waits for the next turn to be filled. */
  #isHeld = false
  #failure: { readonly error: unknown } | undefined = undefined
  #resolve: ((result: Result) => void) | undefined = undefined
  #reject: ((error: unknown) => void) | undefined = undefined

  constructor(source: PullIterator, framing: Framing, budget: ChunkBudget) {
    this.#source = source
    this.#framing = framing
    this.#budget = budget
  }

  next(): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.#sizeLimit === 0) this.#defer()
      else this.#fill()
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#chunk.take()
    this.#closeSource()
    this.#flush()
  }

  get #isReadable(): boolean {
    return !this.#isClosed && !this.#isOver && this.#failure === undefined
  }

  /** Reads elements until the chunk is full, an element is asynchronous, or the budget is used up. */
  #fill(): void {
    while (this.#isReadable && !this.#isPending && this.#chunk.size < this.#sizeLimit) {
      const result = this.#emptyElements < maxEmptyElements ? this.#readElement() : this.#defer()
      if (isThenable(result)) {
        this.#isPending = true
        Promise.resolve(result).then(this.#onElement, this.#onError)
      } else if (result !== undefined) this.#addElement(result)
    }
    if (this.#isPending) {
      if (!this.#chunk.isEmpty) this.#scheduleFlush()
    } else if (this.#sizeLimit === 0 && this.#mustPause) this.#pause()
    else this.#flush()
  }

  get #mustPause(): boolean {
    const isFull = this.#chunk.size >= fullSize
    const canWait = this.#chunk.isEmpty || !this.#isContinued
    return this.#isReadable && !isFull && canWait
  }

  #pause(): void {
    this.#isHeld = !this.#chunk.isEmpty
    this.#isContinued = this.#isHeld
    this.#defer()
  }

  /** Calls `next` of the source. Returns `undefined` if it throws. */
  #readElement(): ReturnType<PullIterator['next']> | undefined {
    this.#isInsideSource = true
    try {
      return this.#source.next()
    } catch (error) {
      this.#isSourceDone = true
      this.#fail(error)
      return undefined
    } finally {
      this.#isInsideSource = false
      if (this.#isClosed) this.#closeSource()
    }
  }

  readonly #onElement = (result: IteratorResult<unknown, unknown>): void => {
    this.#isPending = false
    this.#addElement(result)
    if (this.#resolve !== undefined) this.#fill()
  }

  readonly #onError = (error: unknown): void => {
    this.#isPending = false
    this.#isSourceDone = true
    this.#fail(error)
    this.#flush()
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
  }

  #addElement(result: IteratorResult<unknown, unknown>): void {
    if (!this.#isReadable) return
    const { begin, between, write } = this.#framing
    try {
      if (result.done === true) {
        this.#isOver = true
        this.#isSourceDone = true
        this.#chunk.add(this.#isFirst ? begin : '')
        return this.#chunk.add(this.#framing.end)
      }
      const element = write(result.value)
      const prefix = this.#isFirst ? begin : between
      this.#isFirst = false
      this.#emptyElements = prefix.length + element.length > 0 ? 0 : this.#emptyElements + 1
      this.#chunk.add(prefix)
      this.#chunk.add(element)
      if (--this.#unmeasured <= 0) this.#measureTime()
    } catch (error) {
      this.#fail(error)
      this.#closeSource()
    }
  }

  /** Closes the source, unless its `next` is on the stack: a running generator ignores `return`. */
  #closeSource(): void {
    if (this.#isSourceDone || this.#isInsideSource) return
    this.#isSourceDone = true
    closeIterator(this.#source)
  }

  /** Measures the time, less often if elements take little time. */
  #measureTime(): void {
    const now = performance.now()
    const isSlow = now - this.#measuredAt > measureInterval
    this.#measuredAt = now
    this.#stride = isSlow ? Math.ceil(this.#stride / 8) : Math.min(maxUnmeasured, 2 * this.#stride)
    this.#unmeasured = this.#stride
    if (!this.#budget.hasTime(now)) this.#sizeLimit = 0
  }

  /** Continues in a later turn of the event loop. */
  #defer(): undefined {
    this.#emptyElements = 0
    this.#isPending = true
    this.#isDeferred = true
    this.#budget.defer(() => {
      this.#isPending = false
      this.#isDeferred = false
      this.#sizeLimit = fullSize
      this.#isHeld = false
      this.#fill()
    })
  }

  /** Schedules a flush after all promises that are settled by now, which may add elements. */
  #scheduleFlush(): void {
    if (this.#isFlushScheduled) return
    this.#isFlushScheduled = true
    process.nextTick(this.#scheduledFlush)
  }

  readonly #scheduledFlush = (): void => {
    this.#isFlushScheduled = false
    // a source that waits does not occupy the event loop
    if (this.#isPending && !this.#isDeferred) this.#unmeasured = unmeasuredAfterWait
    if (!this.#isHeld) this.#flush()
  }

  /** Settles the promise of `next` with the chunk, the error or the end. */
  #flush(): void {
    const resolve = this.#resolve
    const reject = this.#reject
    if (resolve === undefined) return
    // an error before the first chunk discards it, because the response can still be an error response
    const isDiscarded = this.#failure !== undefined && !this.#hasReturnedChunk
    if (!this.#chunk.isEmpty && !isDiscarded) {
      this.#hasReturnedChunk = true
      this.#isContinued = false
      this.#clearCallbacks()
      resolve({ done: false, value: this.#chunk.take() })
    } else if (this.#failure !== undefined && !this.#isClosed) {
      this.#clearCallbacks()
      reject?.(this.#failure.error)
    } else if (this.#isOver || this.#isClosed) {
      this.#clearCallbacks()
      resolve({ done: true, value: undefined })
    }
  }

  #clearCallbacks(): void {
    this.#resolve = undefined
    this.#reject = undefined
  }
}
