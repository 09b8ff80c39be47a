/** Measures the delay of single stream elements. */
import { fileURLToPath } from 'node:url'
import { execute } from '../load/execute.mjs'
import { tickMilliseconds, ticks } from './payloads.mjs'

/**
 * @import { Delays, Task } from '../load/element-delay.mjs'
 */

const script = fileURLToPath(new URL('../load/element-delay.mjs', import.meta.url))

const connections = 10
const seconds = (ticks * tickMilliseconds) / 1_000

/** The value of `--only` that selects the delay. */
export const delay = { name: 'delay' }

/** @type {(name: keyof Delays) => { readonly name: string, readonly title: string }} */
export const delayRow = (name) => ({
  name: `${delay.name}-${name}`,
  title: `${name} of one element`,
})

export const delayRows = [delayRow('p50'), delayRow('p99')]

/**
 * Measures the delay. Throws if an element is missing or out of order.
 *
 * @type {(origin: string) => Promise<Delays>}
 */
export const measureDelay = async (origin) => {
  /** @type {Task} */
  const task = { origin, target: '/ticks', connections }
  return JSON.parse(await execute([process.execPath, script, JSON.stringify(task)], seconds))
}
