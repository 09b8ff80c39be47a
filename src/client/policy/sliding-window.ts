/** A sliding-window rate limiter with a bounded FIFO queue. */
import type { WaitResult } from './semaphore.ts'
import { FifoQueue } from './semaphore.ts'
import type { Clock } from './timer.ts'

export interface SlidingWindow {
  /** Starts a request. Returns `true` if it may start now, `false` if the queue is full, and otherwise a promise. */
  readonly acquire: (signal: AbortSignal | undefined) => boolean | Promise<WaitResult>
  /** Returns the milliseconds until the next request may start. */
  readonly delay: () => number
}

export interface SlidingWindowOptions {
  /** Maximum number of requests that start within a window. */
  readonly limit: number
  /** Length of a window in milliseconds. */
  readonly length: number
  readonly maxQueueLength: number
}

/** Creates a rate limiter: at most `limit` requests start in any period of `length` milliseconds. */
export const createSlidingWindow = (
  { limit, length, maxQueueLength }: SlidingWindowOptions,
  clock: Clock,
): SlidingWindow => {
  /** Ring buffer with the start times of the last `limit` requests. */
  const starts: number[] = []
  /** Index of the oldest start time, which the next request overwrites. */
  let oldest = 0
  const queue = new FifoQueue()
  let cancelTimer: (() => void) | undefined
  const delay = (): number =>
    Math.max(0, starts.length < limit ? 0 : (starts[oldest] ?? 0) + length - clock.now())
  const recordStart = (): void => {
    starts[oldest] = clock.now()
    oldest = (oldest + 1) % limit
  }
  const admitDue = (): void => {
    cancelTimer = undefined
    while (delay() === 0 && queue.admitNext()) recordStart()
    updateTimer()
  }
  /** Starts the timer for the first request in the queue, or cancels it if the queue is empty. */
  const updateTimer = (): void => {
    if (queue.length > 0) cancelTimer ??= clock.after(Math.ceil(delay()), admitDue)
    else {
      cancelTimer?.()
      cancelTimer = undefined
    }
  }
  return {
    delay,
    acquire: (signal) => {
      if (queue.length === 0 && delay() === 0) {
        recordStart()
        return true
      }
      if (queue.length >= maxQueueLength) return false
      const admission = queue.wait(signal, updateTimer)
      updateTimer()
      return admission
    },
  }
}
