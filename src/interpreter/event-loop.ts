/** Calls functions after a delay or in later turns (iterations) of the event loop, on any runtime, and divides the time of each turn. */

/** A timer that has been started. On some runtimes, it is a number. */
export type Timer = ReturnType<typeof setTimeout>

/** Starts a timer that does not keep the process alive, on runtimes where timers can do so. */
export const startTimer = (run: () => void, delay: number): Timer => {
  const timer = setTimeout(run, delay)
  if (typeof timer === 'object') timer.unref()
  return timer
}

/** Calls a function in a later turn of the event loop, after the runtime has had an opportunity to process I/O. */
export const inNextTurn = (run: () => void): void => {
  if (typeof setImmediate === 'function') setImmediate(run)
  else setTimeout(run, 0)
}

/**
 * Calls a function after the callbacks of all settled promises. Without `process.nextTick`, the function is called in the next turn.
 */
export const afterPromises = (run: () => void): void => {
  if (typeof process === 'object' && typeof process.nextTick === 'function') process.nextTick(run)
  else inNextTurn(run)
}

/** Total time, in milliseconds, that all streams together may use in one event-loop turn. */
const sharedTime = 2

/**
 * Time, in milliseconds, that a stream may use in one event-loop turn while no other stream is waiting. A turn costs about 15 µs,
 * so a longer time would save little.
 */
const singleTime = 5

/**
 * Divides the time in each event-loop turn among the streams of a server.
 *
 * All streams together may use a few milliseconds per turn. A stream that needs more time waits in a FIFO queue and continues in
 * a later turn. Connections are polled between turns. Streams therefore delay other requests by at most the budget of one turn,
 * regardless of the number of open streams.
 */
export class TurnBudget {
  /**
   * The time at which the first stream started running in this turn, or `undefined` if no stream has run yet. Setting the time
   * also schedules the callback that resets it.
   */
  #start: number | undefined = undefined
  /**
   * The functions that are waiting for a later turn. A `Set` keeps the insertion order, and its first element can be removed in
   * constant time.
   */
  readonly #queue = new Set<() => void>()

  /** Whether a stream may continue in this turn. The time budget of a turn starts with the first call. */
  hasTime(now: number = performance.now()): boolean {
    if (this.#start !== undefined)
      return now - this.#start < (this.#queue.size > 0 ? sharedTime : singleTime)
    this.#start = now
    inNextTurn(this.#startTurn)
    return true
  }

  /**
   * Whether a stream may start another chunk in this turn. More than half of the shared time must remain, because an interrupted
   * chunk needs an additional turn.
   */
  canStart(now: number = performance.now()): boolean {
    return this.hasTime(now) && now - (this.#start ?? now) < sharedTime / 2
  }

  /** Queues a function, which is called in a later event-loop turn as soon as the budget allows. */
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
   * Runs queued functions until too little time is left in the turn.
   *
   * An asynchronous source delivers available elements in microtasks. The next function is called after the callbacks
   * of all settled promises.
   */
  readonly #runNext = (): void => {
    if (this.#queue.size === 0 || !this.canStart()) return
    const [run = noop] = this.#queue
    this.#queue.delete(run)
    queueMicrotask(() => {
      run()
      afterPromises(this.#runNext)
    })
  }
}

const noop = (): void => undefined
