/**
 * A closed-loop load generator for large bodies: `node closed-loop.mjs '<a Task as JSON>'` prints a `Load` as one line of JSON.
 *
 * Each connection sends the next request when the response to the previous one is complete. When the time is over, it waits
 * for the pending responses, and the measured seconds include this wait. wrk, in contrast, reads 8 KiB at a time and counts
 * only responses that are complete at the end, which distorts the rate of slow responses.
 *
 * @import { ReceivedResponse } from './response-parser.mjs'
 */
import { format } from './http-message.mjs'
import { open } from './connection.mjs'
import { responseParser } from './response-parser.mjs'
import { workloads } from '../streams/workloads.mjs'

/**
 * @typedef {object} Task
 * @property {string} origin
 * @property {string} workload the name of the workload
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * @typedef {object} Load
 * @property {number} responses
 * @property {number} seconds
 * @property {number} busy the CPU utilization of this process, from 0 to 1
 */

/** @type {Task} */
const { origin, workload, connections, seconds } = JSON.parse(process.argv[2] ?? '')
const timed = workloads.find(({ name }) => name === workload)?.timed
if (timed === undefined) throw new Error(`unknown workload ${workload}`)

const { method, target, headers, body } = timed.request
const allHeaders =
  body === undefined ? headers : { ...headers, 'content-length': String(body.length) }
const head = format({ method, target, headers: allHeaders }, new URL(origin).host)
const message = Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)])

/** @type {ReceivedResponse | undefined} */
let first
let responses = 0
let end = Infinity

/** Counts a response. Throws unless it is as long as the first one. @type {(response: ReceivedResponse) => void} */
const count = (response) => {
  first ??= response
  if (response.status !== 200 || response.bytes !== first.bytes)
    throw new Error(
      `${method} ${target}: ${JSON.stringify(response)} after ${JSON.stringify(first)}`,
    )
  responses += 1
}

/** @type {() => Promise<() => Promise<void>>} */
const client = async () => {
  /** @type {() => void} */
  let onResponse = () => undefined
  const onData = responseParser({
    onBody: () => undefined,
    onEnd: (response) => {
      count(response)
      onResponse()
    },
  })
  const socket = await open(origin, onData)
  /** @type {() => Promise<void>} */
  const exchange = () =>
    new Promise((resolve) => {
      onResponse = resolve
      socket.write(message)
    })
  return async () => {
    while (performance.now() < end) await exchange()
  }
}

const clients = await Promise.all(Array.from({ length: connections }, client))
const usage = process.cpuUsage()
const begin = performance.now()
end = begin + seconds * 1_000
await Promise.all(clients.map((run) => run()))
const elapsed = (performance.now() - begin) / 1_000
const { user, system } = process.cpuUsage(usage)
/** @type {Load} */
const load = { responses, seconds: elapsed, busy: (user + system) / 1_000_000 / elapsed }
console.log(JSON.stringify(load))
process.exit()
