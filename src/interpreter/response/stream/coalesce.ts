/**
 * Combines the elements of a stream into chunks.
 *
 * Elements that become available before the event loop continues are sent in one write. For 10,000 elements, this takes less than
 * half as long as one write per element. A single element is sent immediately.
 *
 * Each element is requested after the previous one has been added to a chunk. The first element of the next chunk is requested
 * while the previous chunk is being sent. If the client stops reading, at most one element is therefore buffered.
 *
 * A synchronous source is limited by the server's turn budget, which restricts the time that streams may use in each event-loop
 * turn. When the budget is used up, reading continues in a later turn. A chunk is filled in at most two turns, so that slow
 * elements are not delayed for long.
 */
import type { ChunkSource } from '../../exchange.ts'
import { afterPromises, inNextTurn } from '../../event-loop.ts'
import type { TurnBudget } from '../../event-loop.ts'
import { closeIterator } from '../../../body/stream/open-source.ts'
import type { PullIterator } from '../../../body/stream/open-source.ts'
import type { Framing } from '../../../body/stream/stream-format.ts'
import { ByteCollector } from '../../../http/byte-collector.ts'
import { isThenable } from '../../../http/platform-value.ts'

/**
 * Number of UTF-16 code units of text that are collected before the text is encoded. The encoded text can contain up to three
 * times as many bytes.
 */
const maxUnencoded = 8 * 1024

const encoder = new TextEncoder()

/** Collects text and bytes and combines them into a chunk. */
class ChunkBuilder {
  #text = ''
  readonly #encoded = new ByteCollector()

  /** The number of bytes, plus the number of UTF-16 code units in text that has not been encoded yet. */
  get size(): number {
    return this.#encoded.length + this.#text.length
  }

  add(part: string | Uint8Array): void {
    if (typeof part === 'string') {
      this.#text += part
      if (this.#text.length >= maxUnencoded) this.#encode()
    } else {
      this.#encode()
      this.#encoded.add(part)
    }
  }

  /** Returns the chunk and starts a new, empty chunk. A single part is returned without being copied. */
  take(): string | Uint8Array {
    const text = this.#text
    if (this.#encoded.length > 0) this.#encode()
    this.#text = ''
    return this.#encoded.length > 0 ? this.#encoded.take() : text
  }

  #encode(): void {
    if (this.#text === '') return
    this.#encoded.add(encoder.encode(this.#text))
    this.#text = ''
  }
}

/** Size, in bytes, at which a chunk is full and is sent. */
const fullSize = 32 * 1024

/** Maximum number of consecutive elements without output that are read in one event-loop turn. */
const maxEmptyElements = 1000

type Result = IteratorResult<string | Uint8Array, undefined>

/**
 * Number of elements to read between two time measurements, which take about 70 ns each. If these elements take longer than
 * `maxInterval`, in milliseconds, the time is measured after the next element.
 */
const stride = 64
const maxInterval = 0.1

/**
 * Number of elements to read after an asynchronous element before measuring the time again. These elements can be synchronous or
 * asynchronous.
 */
const unmeasuredAfterWait = 2

/** The subset of the `TurnBudget` methods that chunk sources use. */
export type ChunkBudget = Pick<TurnBudget, 'hasTime' | 'defer'>

/** A budget without a limit, for sources that are read outside a server. */
const unlimited: ChunkBudget = { hasTime: () => true, defer: inNextTurn }

/** Combines the elements of a source into chunks. The source is not read before the first call to `next`. */
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
  /** Whether the next element is the first one. */
  #isFirst = true
  /** Whether a chunk has been returned. */
  #hasReturnedChunk = false
  /** Whether the source has ended without an error. */
  #isOver = false
  /** Whether the source has ended, failed or been closed. Such a source does not need to be closed. */
  #isSourceDone = false
  #isClosed = false
  /** Whether this object is waiting for an asynchronous element or for a later event-loop turn. */
  #isPending = false
  /** Whether the `next` method of the source is currently executing. */
  #isInsideSource = false
  #isFlushScheduled = false
  /** Number of consecutive elements without output. */
  #emptyElements = 0
  /** Whether this object is waiting for a later event-loop turn. */
  #isDeferred = false
  /** Number of elements to read before the time is measured again. */
  #unmeasured = unmeasuredAfterWait
  /** The time of the last measurement, in milliseconds. */
  #measuredAt = 0
  /**
   * The chunk size at which reading stops. Set to `0` when the budget is used up, so that the loop over elements checks one
   * condition instead of two.
   */
  #sizeLimit = fullSize
  /** Whether the chunk was started in an earlier event-loop turn. */
  #isContinued = false
  /** Whether the chunk is held back, so that more elements can be added in the next event-loop turn. */
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

  #isReadable(): boolean {
    return !this.#isClosed && !this.#isOver && this.#failure === undefined
  }

  /** Reads elements until the chunk is full, the source returns a promise, or the budget is used up. */
  #fill(): void {
    while (this.#isReadable() && !this.#isPending && this.#chunk.size < this.#sizeLimit) {
      const result = this.#emptyElements < maxEmptyElements ? this.#readElement() : this.#defer()
      if (isThenable(result)) {
        this.#isPending = true
        Promise.resolve(result).then(this.#onElement, this.#onError)
      } else if (result !== undefined) this.#addElement(result)
    }
    if (this.#isPending) {
      if (this.#chunk.size > 0) this.#scheduleFlush()
    } else if (this.#sizeLimit === 0 && this.#mustPause()) this.#pause()
    else this.#flush()
  }

  #mustPause(): boolean {
    const isFull = this.#chunk.size >= fullSize
    const canWait = this.#chunk.size === 0 || !this.#isContinued
    return this.#isReadable() && !isFull && canWait
  }

  #pause(): void {
    this.#isHeld = this.#chunk.size > 0
    this.#isContinued = this.#isHeld
    this.#defer()
  }

  /** Calls the `next` method of the source. Returns `undefined` if `next` throws. */
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
    if (!this.#isReadable()) return
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

  /**
   * Closes the source. If a call to its `next` method is on the stack, closing is postponed, because a running generator cannot
   * be closed.
   */
  #closeSource(): void {
    if (this.#isSourceDone || this.#isInsideSource) return
    this.#isSourceDone = true
    closeIterator(this.#source)
  }

  /** Measures the time and checks the budget. The time is measured more often if elements are slow. */
  #measureTime(): void {
    const now = performance.now()
    this.#unmeasured = now - this.#measuredAt > maxInterval ? 1 : stride
    this.#measuredAt = now
    if (!this.#budget.hasTime(now)) this.#sizeLimit = 0
  }

  /** Continues reading the source in a later event-loop turn. */
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

  /**
   * Schedules a flush. The flush runs after the callbacks of all settled promises, because these callbacks might add more
   * elements.
   */
  #scheduleFlush(): void {
    if (this.#isFlushScheduled) return
    this.#isFlushScheduled = true
    afterPromises(this.#scheduledFlush)
  }

  readonly #scheduledFlush = (): void => {
    this.#isFlushScheduled = false
    // a source that is waiting for an asynchronous element does not block the event loop
    if (this.#isPending && !this.#isDeferred) this.#unmeasured = unmeasuredAfterWait
    if (!this.#isHeld) this.#flush()
  }

  /** Settles the pending promise of `next`, if there is a chunk, an error or the end of the stream to report. */
  #flush(): void {
    const resolve = this.#resolve
    const reject = this.#reject
    if (resolve === undefined) return
    // if an error occurs before the first chunk is returned, the chunk is discarded, because an error response is still possible
    const isDiscarded = this.#failure !== undefined && !this.#hasReturnedChunk
    if (this.#chunk.size > 0 && !isDiscarded) {
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
