/**
 * Measures the latency of a plain GET while the server sends fifty streams whose sources never wait. Uses this checkout or the
 * one in `root`.
 */
import { Agent, get } from 'node:http'
import { once } from 'node:events'
import { percentile } from '../support/statistics.mjs'
import { startChild } from './child-process.mjs'

const streams = 50
const requests = 150
const pauseMilliseconds = 10
const sizeOfWhole = 8 * 1024 * 1024

/** The kinds of responses: `worker` is a stream of a blocking operation, `whole` an 8 MB response from memory. */
export const kinds = [
  'ndjson',
  'ndjson-later',
  'array',
  'array-later',
  'sse',
  'sse-later',
  'bytes',
  'bytes-later',
  'text',
  'text-later',
  'gzip',
  'gzip-later',
  'worker',
  'whole',
]

/** Returns the milliseconds of one request. @type {(url: string, agent: Agent) => Promise<number>} */
const measureRequest = async (url, agent) => {
  const begin = performance.now()
  const [response] = await once(get(url, { agent }), 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  return performance.now() - begin
}

/**
 * @typedef {object} Fairness
 * @property {string} kind
 * @property {number} median milliseconds
 * @property {number} p99
 */

/** @type {(kind: string, root?: string) => Promise<Fairness>} */
export const measureFairness = async (kind, root = '') => {
  const environment = { HOSTILE_ROOT: root }
  const server = await startChild('fairness-server.mjs', environment)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const task = {
    url: server.firstLine,
    target: `/${kind}`,
    count: streams,
    repeatAfter: kind === 'whole' ? sizeOfWhole : 0,
  }
  const readers = await startChild('stream-readers.mjs', { HOSTILE_TASK: JSON.stringify(task) })
  try {
    const latencies = []
    for (let index = 0; index < requests; index++) {
      latencies.push(await measureRequest(`${server.firstLine}/plain`, agent))
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds))
    }
    const ascending = Float64Array.from(latencies).toSorted()
    return { kind, median: percentile(ascending, 50), p99: percentile(ascending, 99) }
  } finally {
    agent.destroy()
    await readers.stop()
    await server.stop()
  }
}
