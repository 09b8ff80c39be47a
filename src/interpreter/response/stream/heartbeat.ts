/**
 * Puts comments between the pieces of an event stream where nothing else is sent, so that nobody between takes the connection for
 * dead, and that it shows when it is. Pieces hold whole messages, so a comment never stands inside one.
 */
import * as EventStream from '../../../http/event-stream.ts'
import type { ChunkSource } from '../../chunks.ts'
import type { TimerEntry } from '../../interval-timer.ts'
import { IntervalTimer } from '../../interval-timer.ts'

/** The same pieces, with a comment wherever one does not come within the interval, in milliseconds; none when that is 0. */
export const withHeartbeat = (pieces: ChunkSource, interval: number): ChunkSource =>
  interval === 0 ? pieces : new Beating(pieces, heartbeatTimer(interval))

/** The clock of all streams with the same interval. */
export const heartbeatTimer = (interval: number): IntervalTimer => {
  const known = clocks.get(interval)
  if (known !== undefined) return known
  const made = new IntervalTimer(interval)
  clocks.set(interval, made)
  return made
}

const clocks = new Map<number, IntervalTimer>()

type Piece = Awaited<ReturnType<ChunkSource['next']>>

interface Asking {
  readonly resolve: (piece: Piece) => void
  readonly reject: (error: unknown) => void
}

class Beating implements ChunkSource, TimerEntry {
  readonly length = undefined
  readonly #pieces: ChunkSource
  readonly #clock: IntervalTimer
  /** Whoever waits for a piece or a comment. */
  #asking: Asking | undefined = undefined
  /** Whether a piece is on its way. */
  #isComing = false
  /** What came while nobody asked, because a comment had been handed over before. */
  #kept: ((asking: Asking) => void) | undefined = undefined
  #isOpen = true

  constructor(pieces: ChunkSource, clock: IntervalTimer) {
    this.#pieces = pieces
    this.#clock = clock
    clock.register()
  }

  next(): Promise<Piece> {
    return new Promise((resolve, reject) => {
      const kept = this.#kept
      if (kept !== undefined) {
        this.#kept = undefined
        return kept({ resolve, reject })
      }
      this.#asking = { resolve, reject }
      if (this.#isOpen) this.#clock.restart(this)
      if (this.#isComing) return
      this.#isComing = true
      this.#pieces.next().then(
        (piece) => this.#come((asking) => asking.resolve(piece)),
        (error: unknown) => this.#come((asking) => asking.reject(error)),
      )
    })
  }

  onTimeout(): void {
    this.#take()?.resolve(beat)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#clock.unregister(this)
    this.#pieces.close()
  }

  #come(hand: (asking: Asking) => void): void {
    this.#isComing = false
    const asking = this.#take()
    if (asking === undefined) this.#kept = hand
    else hand(asking)
  }

  #take(): Asking | undefined {
    const asking = this.#asking
    this.#asking = undefined
    this.#clock.pause(this)
    return asking
  }
}

const beat: Piece = { done: false, value: EventStream.heartbeat }
