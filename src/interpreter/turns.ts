/** Schedules functions in turns (iterations) of the event loop, with the functions that the runtime provides. */

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
