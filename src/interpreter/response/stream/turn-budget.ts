/**
 * Shares each turn of the event loop between the streams of a server.
 *
 * All streams together get a few milliseconds per turn. A stream that needs more waits in a queue and continues in a later
 * turn, in FIFO order. Between two turns the event loop polls its connections, so other requests wait for one budget at most,
 * however many streams are open.
 */

/** Milliseconds per turn that all streams may use together. */
const sharedTime = 2

/** Milliseconds per turn for a stream while no other stream waits. A turn costs about 15 µs, so longer turns save little. */
const singleTime = 5

/** The time that streams may use in each turn of the event loop. */
export class TurnBudget {
  /** When the first stream of this turn has run; `undefined` if none has. If it is set, an immediate is scheduled. */
  #start: number | undefined = undefined
  /** A `Set`, because it keeps the order of insertion and removes its first element in constant time. */
  readonly #queue = new Set<() => void>()

  /** Whether a stream may continue in this turn. The first call in a turn starts its budget. */
  hasTime(now: number = performance.now()): boolean {
    if (this.#start !== undefined)
      return now - this.#start < (this.#queue.size > 0 ? sharedTime : singleTime)
    this.#start = now
    setImmediate(this.#startTurn)
    return true
  }

  /**
   * Whether a stream may begin another chunk in this turn: at least half of the shared time is left. A chunk that is interrupted
   * costs one turn more.
   */
  canBegin(): boolean {
    const now = performance.now()
    return this.hasTime(now) && now - (this.#start ?? now) < sharedTime / 2
  }

  /** Calls a function in a later turn that has time for it. */
  defer(run: () => void): void {
    // the same function may wait more than once
    this.#queue.add(() => run())
    this.hasTime()
  }

  readonly #startTurn = (): void => {
    this.#start = undefined
    this.#runNext()
  }

  /**
   * Runs queued functions while there is time. Elements of an asynchronous source that are ready arrive in microtasks, so the
   * next function is called after these: `process.nextTick` called from a microtask runs when all microtasks have run.
   */
  readonly #runNext = (): void => {
    if (this.#queue.size === 0 || !this.canBegin()) return
    const [run = noop] = this.#queue
    this.#queue.delete(run)
    queueMicrotask(() => {
      run()
      process.nextTick(this.#runNext)
    })
  }
}

const noop = (): void => undefined
