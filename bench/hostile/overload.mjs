/**
 * Measures load shedding at four times the capacity: the latencies of accepted and rejected requests after the first two
 * seconds. Uses this checkout or the one in `root`.
 */
import { percentile } from '../support/statistics.mjs'
import { startChild } from './child-process.mjs'

const handlerMilliseconds = 5
const overload = 4
const seconds = 8
const settledMilliseconds = 2000

/** CPU-bound handlers, the same after an asynchronous wait, and a new connection for each request. */
export const kinds = ['burn', 'later', 'close']

/**
 * @typedef {object} Latencies
 * @property {number} count
 * @property {number} p50 milliseconds
 * @property {number} p99
 */

/**
 * @typedef {object} Shedding
 * @property {Latencies} accepted
 * @property {Latencies} rejected
 * @property {number} unanswered
 * @property {number} connections
 */

/** @type {(results: readonly { latency: number }[]) => Latencies} */
const latencies = (results) => {
  const ascending = Float64Array.from(results.map(({ latency }) => latency)).toSorted()
  const count = ascending.length
  return { count, p50: percentile(ascending, 50), p99: percentile(ascending, 99) }
}

/** @type {(kind: string, root?: string, settings?: Record<string, unknown>) => Promise<Shedding>} */
export const measureOverload = async (kind, root = '', settings = {}) => {
  const server = await startChild('overload-server.mjs', {
    HOSTILE_ROOT: root,
    HOSTILE_SETTINGS: JSON.stringify(settings),
  })
  const task = {
    url: server.firstLine,
    targets: [`/${kind === 'close' ? 'burn' : kind}/${handlerMilliseconds}`],
    keepAlive: kind !== 'close',
    rate: (overload * 1000) / handlerMilliseconds,
    seconds,
  }
  const load = await startChild('load-generator.mjs', { HOSTILE_TASK: JSON.stringify(task) })
  try {
    const { results, unanswered, connections } = JSON.parse(await load.nextLine())
    /** @type {{ status: number, at: number, latency: number }[]} */
    const settled = results.filter((/** @type {any} */ { at }) => at > settledMilliseconds)
    return {
      accepted: latencies(settled.filter(({ status }) => status === 200)),
      rejected: latencies(settled.filter(({ status }) => status === 503)),
      unanswered,
      connections,
    }
  } finally {
    await load.stop()
    await server.stop()
  }
}
