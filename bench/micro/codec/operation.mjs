/**
 * Operations whose results are compared as values, whatever the library returns.
 *
 * @import { Operation } from '../types.mjs'
 */

/** What the texts begin with, added up, so that it is not left out. */
let codes = 0

/**
 * Writes JSON. A text that was put together of pieces is in one piece when a server sends it, so it
 * is made one here too: that is what reading a character does.
 *
 * @type {(write: (value: never) => string) => Operation}
 */
export const writing = (write) => ({
  run: (value) => {
    const text = write(value)
    codes += text.charCodeAt(0)
    return text
  },
  outcome: (/** @type {string} */ text) => JSON.parse(text),
})

/**
 * Gives the value itself.
 *
 * @type {(run: (value: never) => unknown) => Operation}
 */
export const giving = (run) => ({ run, outcome: (result) => result })

/**
 * Says whether a value is right, and may have changed it.
 *
 * @type {(run: (value: never) => boolean) => Operation}
 */
export const testing = (run) => ({
  run,
  outcome: (result, value) => (result ? value : undefined),
})
