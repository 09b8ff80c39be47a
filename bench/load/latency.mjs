/**
 * How long answers take while requests come at a fixed rate that leaves the server time to spare.
 *
 * @import { Exchange } from '../frameworks/workloads.mjs'
 * @import { Steadiness, Task } from './fixed-rate.mjs'
 */
import { fileURLToPath } from 'node:url'
import { execute } from './execute.mjs'

const script = fileURLToPath(new URL('fixed-rate.mjs', import.meta.url))

/** A server that answers a smaller share within the time cannot hold the rate. */
const leastAnswered = 0.95

/**
 * Milliseconds; the latencies of a server that cannot hold the rate are infinite.
 *
 * @typedef {{ readonly p50: number, readonly p99: number, readonly delay: number }} Latency
 */

/** @typedef {{ readonly rate: number, readonly connections: number, readonly seconds: number }} Pace */

/**
 * Throws when an answer has another status than the right one, or a connection breaks.
 *
 * @type {(origin: string, exchange: Exchange, pace: Pace) => Promise<Latency>}
 */
export const measureLatency = async (origin, { request, answer }, pace) => {
  /** @type {Task} */
  const task = { origin, request, status: answer.status, ...pace }
  const output = await execute([process.execPath, script, JSON.stringify(task)], pace.seconds)
  /** @type {Steadiness} */
  const { answered, p50, p99, delay } = JSON.parse(output)
  return answered < leastAnswered ? { p50: Infinity, p99: Infinity, delay } : { p50, p99, delay }
}
