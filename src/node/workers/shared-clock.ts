/**
 * Times by the clock of `performance`, which begins anew in each thread, as another thread can read them: by the clock of
 * the system, which is one for all and runs on whatever the time of day is set to. The two are compared several times, and
 * the shortest counts: a thread that has to wait in between was 20 ms off.
 */
const beginning = Array.from({ length: 5 }, () => {
  const before = process.hrtime.bigint()
  const now = performance.now()
  const took = Number(process.hrtime.bigint() - before) / 1e6
  return { took, beginning: Number(before) / 1e6 - now + took / 2 }
}).reduce((best, one) => (one.took < best.took ? one : best)).beginning

/** A time of this thread, for another. */
export const toShared = (time: number | undefined): number | undefined =>
  time === undefined ? undefined : time + beginning

/** A time of another thread, for this one; before 0 when this one is younger. */
export const fromShared = (time: number | undefined): number | undefined =>
  time === undefined ? undefined : time - beginning
