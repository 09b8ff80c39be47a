/**
 * Sends comments on idle event streams, so that proxies keep the connection open and a broken one is detected.
 *
 * Chunks contain complete messages, so a comment is never inserted into a message.
 */
import * as EventStream from '../../../http/event-stream.ts'
import type { ChunkSource } from '../../chunks.ts'
import type { TimerEntry } from '../../interval-timer.ts'
import { IntervalTimer } from '../../interval-timer.ts'

/** Adds a comment whenever no chunk arrives within `interval` milliseconds. 0 disables it. */
export const withHeartbeat = (chunks: ChunkSource, interval: number): ChunkSource =>
  interval === 0 ? chunks : new HeartbeatSource(chunks, heartbeatTimer(interval))

/** Returns the timer that all streams with the same interval share. */
export const heartbeatTimer = (interval: number): IntervalTimer => {
  const existing = timers.get(interval)
  if (existing !== undefined) return existing
  const created = new IntervalTimer(interval)
  timers.set(interval, created)
  return created
}

const timers = new Map<number, IntervalTimer>()

type Chunk = Awaited<ReturnType<ChunkSource['next']>>

/** The pending promise that `next` has returned. */
interface PendingRead {
  readonly resolve: (chunk: Chunk) => void
  readonly reject: (error: unknown) => void
}

class HeartbeatSource implements ChunkSource, TimerEntry {
  readonly length = undefined
  readonly #chunks: ChunkSource
  readonly #timer: IntervalTimer
  #pendingRead: PendingRead | undefined = undefined
  /** Whether the next chunk has been requested. */
  #isReading = false
  /** Settles a read with a chunk that arrived after a comment had been sent in its place. */
  #settleNext: ((read: PendingRead) => void) | undefined = undefined
  #isOpen = true

  constructor(chunks: ChunkSource, timer: IntervalTimer) {
    this.#chunks = chunks
    this.#timer = timer
    timer.register()
  }

  next(): Promise<Chunk> {
    return new Promise((resolve, reject) => {
      const settleNext = this.#settleNext
      if (settleNext !== undefined) {
        this.#settleNext = undefined
        return settleNext({ resolve, reject })
      }
      this.#pendingRead = { resolve, reject }
      if (this.#isOpen) this.#timer.restart(this)
      if (this.#isReading) return
      this.#isReading = true
      this.#chunks.next().then(
        (chunk) => this.#settle((read) => read.resolve(chunk)),
        (error: unknown) => this.#settle((read) => read.reject(error)),
      )
    })
  }

  onTimeout(): void {
    this.#takePendingRead()?.resolve(heartbeat)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#timer.unregister(this)
    this.#chunks.close()
  }

  #settle(settle: (read: PendingRead) => void): void {
    this.#isReading = false
    const read = this.#takePendingRead()
    if (read === undefined) this.#settleNext = settle
    else settle(read)
  }

  #takePendingRead(): PendingRead | undefined {
    const read = this.#pendingRead
    this.#pendingRead = undefined
    this.#timer.pause(this)
    return read
  }
}

const heartbeat: Chunk = { done: false, value: EventStream.heartbeat }
