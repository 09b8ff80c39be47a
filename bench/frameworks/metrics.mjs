/** What is measured of every server beside its rates; of all with a title, less is better. */

/**
 * @typedef {object} Quantity
 * @property {string} name as `--only` takes it
 * @property {readonly Row[]} rows
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title as the table shows it
 * @property {number} digits after the point
 */

/**
 * Answers per second of processor time, for a workload: more is better, and it is told where there is
 * a `/proc`.
 *
 * @type {(workload: { readonly name: string }) => { readonly name: string }}
 */
export const processorRow = ({ name }) => ({ name: `${name}-processor` })

/** The sizes of application that are started: how many item routes they have. */
export const sizes = /** @type {const} */ ([200, 1_000])

/** @type {(size: number) => Row} */
export const startRow = (size) => ({
  name: `start-${size}`,
  title: `start with ${size.toLocaleString('en')} endpoints, ms`,
  digits: 0,
})

/** From the start of the process to its first answer. @type {Quantity} */
export const starting = { name: 'start', rows: sizes.map(startRow) }

/** @type {Row} */
export const memoryRow = { name: 'memory', title: 'idle memory, MB', digits: 0 }

/**
 * The resident set of a process of the first size that has answered once and then had nothing to do.
 *
 * @type {Quantity}
 */
export const memory = { name: 'memory', rows: [memoryRow] }

/** Requests per second of the steady load. */
export const steadyRate = 5_000

/** @type {(name: 'p50' | 'p99') => Row} */
export const latencyRow = (name) => ({
  name,
  title: `${name} at ${steadyRate.toLocaleString('en')} requests a second, ms`,
  digits: 2,
})

/** @type {Quantity} */
export const latency = { name: 'latency', rows: [latencyRow('p50'), latencyRow('p99')] }

/** How late the generator of the steady load was itself, in milliseconds; told below the tables. */
export const delayRow = { name: 'delay' }

export const quantities = [starting, memory, latency]
