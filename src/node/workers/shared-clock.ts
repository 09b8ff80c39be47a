/**
 * Converts times of `performance.now()`, which starts at 0 in each thread, to times that all threads share.
 *
 * The shared clock is the monotonic clock of the system. The offset between the clocks is measured several times, and the fastest
 * measurement is used: a thread that was preempted in between was 20 ms off.
 */
const offset = Array.from({ length: 5 }, () => {
  const before = process.hrtime.bigint()
  const now = performance.now()
  const duration = Number(process.hrtime.bigint() - before) / 1e6
  return { duration, offset: Number(before) / 1e6 - now + duration / 2 }
}).reduce((best, other) => (other.duration < best.duration ? other : best)).offset

/** Converts a time of this thread to a shared time. */
export const toShared = (time: number | undefined): number | undefined =>
  time === undefined ? undefined : time + offset

/** Converts a shared time to a time of this thread. Negative if this thread started later. */
export const fromShared = (time: number | undefined): number | undefined =>
  time === undefined ? undefined : time - offset
