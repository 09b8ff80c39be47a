/**
 * Times by the clock of `performance`, which begins anew in each thread, as another thread can read them: by the clock of
 * the system, which is one for all and runs on whatever the time of day is set to.
 */
const beginning = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** A time of this thread, for another. */
export const toShared = (time: number | undefined): number | undefined =>
  time === undefined ? undefined : time + beginning

/** A time of another thread, for this one; before 0 when this one is younger. */
export const fromShared = (time: number | undefined): number | undefined =>
  time === undefined ? undefined : time - beginning
