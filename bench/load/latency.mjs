/**
 * Measures latencies at a fixed request rate below the capacity of the server.
 *
 * @import { Exchange } from '../frameworks/workloads.mjs'
 * @import { FixedRateResult, Task } from './fixed-rate.mjs'
 */
import { fileURLToPath } from 'node:url'
import { execute } from './execute.mjs'

const script = fileURLToPath(new URL('fixed-rate.mjs', import.meta.url))

/** The minimum fraction of requests that a server must answer within the time to reach the rate. */
const minimumCompleted = 0.95

/**
 * Latencies in milliseconds; `Infinity` for a server that does not reach the rate.
 *
 * @typedef {{ readonly p50: number, readonly p99: number, readonly delay: number }} Latency
 */

/** @typedef {{ readonly rate: number, readonly connections: number, readonly seconds: number }} Pace */

/**
 * Measures the latency of a request. Throws if a response has an unexpected status or a connection closes.
 *
 * @type {(origin: string, exchange: Exchange, pace: Pace) => Promise<Latency>}
 */
export const measureLatency = async (origin, { request, expected }, pace) => {
  /** @type {Task} */
  const task = { origin, request, status: expected.status, ...pace }
  const output = await execute([process.execPath, script, JSON.stringify(task)], pace.seconds)
  /** @type {FixedRateResult} */
  const { completed, p50, p99, delay } = JSON.parse(output)
  return completed < minimumCompleted
    ? { p50: Infinity, p99: Infinity, delay }
    : { p50, p99, delay }
}
