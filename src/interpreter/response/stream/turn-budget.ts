/**
 * Shares each event-loop turn between the streams of a server.
 *
 * All streams together get a few milliseconds per turn. A stream that needs more time waits in a FIFO queue and continues in a
 * later turn. The event loop polls its connections between two turns. Other requests therefore wait for at most one budget,
 * regardless of the number of open streams.
 */

/** Total time, in milliseconds, that all streams may use in one event-loop turn. */
const sharedTime = 2

/**
 * Time, in milliseconds, that a stream may use in one event-loop turn while no other stream waits. A turn costs about 15 µs, so a
 * longer time would save little.
 */
const singleTime = 5

/** Limits the time that streams may use in each event-loop turn. */
export class TurnBudget {
  /**
   * The time at which the first stream started to run in this turn, or `undefined` before that. If the time is set, an immediate
   * is scheduled.
   */
  #start: number | undefined = undefined
  /**
   * The functions that wait for a later turn. A `Set` keeps the insertion order, and its first element can be removed in constant
   * time.
   */
  readonly #queue = new Set<() => void>()

  /** Whether a stream may continue in this turn. The first call in a turn starts the budget for the turn. */
  hasTime(now: number = performance.now()): boolean {
    if (this.#start !== undefined)
      return now - this.#start < (this.#queue.size > 0 ? sharedTime : singleTime)
    this.#start = now
    setImmediate(this.#startTurn)
    return true
  }

  /**
   * Whether a stream may start another chunk in this turn. This requires that more than half of the shared time remains, because
   * an interrupted chunk takes one more turn.
   */
  canStart(now: number = performance.now()): boolean {
    return this.hasTime(now) && now - (this.#start ?? now) < sharedTime / 2
  }

  /** Calls a function in a later event-loop turn in which time remains. */
  defer(run: () => void): void {
    // each call creates a new closure, because the same function may wait more than once
    this.#queue.add(() => run())
    this.hasTime()
  }

  readonly #startTurn = (): void => {
    this.#start = undefined
    this.#runNext()
  }

  /**
   * Runs queued functions while there is time.
   *
   * An asynchronous source delivers elements that are ready in microtasks, so the next function is called after these microtasks.
   * If `process.nextTick` is called in a microtask, its callback runs after all microtasks.
   */
  readonly #runNext = (): void => {
    if (this.#queue.size === 0 || !this.canStart()) return
    const [run = noop] = this.#queue
    this.#queue.delete(run)
    queueMicrotask(() => {
      run()
      process.nextTick(this.#runNext)
    })
  }
}

const noop = (): void => undefined
