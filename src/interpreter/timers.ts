/** Calls functions after a delay, or in later turns (iterations) of the event loop, on any runtime. */

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
