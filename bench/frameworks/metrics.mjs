/** The metrics that are measured in addition to request rates. For those with a title, lower is better. */

/**
 * @typedef {object} Metric
 * @property {string} name the value of `--only` that selects the metric
 * @property {readonly Row[]} rows
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title the first cell of the table row
 * @property {number} digits the number of decimal places
 */

/**
 * Responses per second of CPU time for a workload; higher is better. Available on systems with `/proc`.
 *
 * @type {(workload: { readonly name: string }) => { readonly name: string }}
 */
export const cpuRow = ({ name }) => ({ name: `${name}-processor` })

/** The measured application sizes, in item routes. */
export const sizes = /** @type {const} */ ([200, 1_000])

/** @type {(size: number) => Row} */
export const startRow = (size) => ({
  name: `start-${size}`,
  title: `start with ${size.toLocaleString('en')} endpoints, ms`,
  digits: 0,
})

/** Milliseconds from the start of the process to its first response. @type {Metric} */
export const startTime = { name: 'start', rows: sizes.map(startRow) }

/** @type {Row} */
export const memoryRow = { name: 'memory', title: 'idle memory, MB', digits: 0 }

/**
 * The resident set size of an idle process of the first size, after one response.
 *
 * @type {Metric}
 */
export const memory = { name: 'memory', rows: [memoryRow] }

/** Requests per second of the fixed-rate load. */
export const steadyRate = 5_000

/** @type {(name: 'p50' | 'p99') => Row} */
export const latencyRow = (name) => ({
  name,
  title: `${name} at ${steadyRate.toLocaleString('en')} requests a second, ms`,
  digits: 2,
})

/** @type {Metric} */
export const latency = { name: 'latency', rows: [latencyRow('p50'), latencyRow('p99')] }

/** The delay of the fixed-rate load generator itself, in milliseconds; printed below the tables. */
export const delayRow = { name: 'delay' }

export const metrics = [startTime, memory, latency]
