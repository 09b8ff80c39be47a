/**
 * Constructors of operations. They convert the results of different libraries to the same form.
 *
 * @import { Operation } from '../types.mjs'
 */

/** The sum of the first characters, so that the compiler cannot eliminate reading them. */
let checksum = 0

/**
 * Serializes JSON. Reads one character of the result, which flattens a concatenated string as sending it would.
 *
 * @type {(write: (value: never) => string) => Operation}
 */
export const writing = (write) => ({
  run: (value) => {
    const text = write(value)
    checksum += text.charCodeAt(0)
    return text
  },
  normalize: (/** @type {string} */ text) => JSON.parse(text),
})

/**
 * Returns a value.
 *
 * @type {(run: (value: never) => unknown) => Operation}
 */
export const returning = (run) => ({ run, normalize: (result) => result })

/**
 * Returns whether a value is valid, and may modify the value.
 *
 * @type {(run: (value: never) => boolean) => Operation}
 */
export const testing = (run) => ({
  run,
  normalize: (result, value) => (result ? value : undefined),
})
