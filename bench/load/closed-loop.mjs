/**
 * The load of large contents, as a process of its own: `node contents.mjs '<a Task as JSON>'` prints a
 * `Load` as one line of JSON.
 *
 * Each connection sends the request again as soon as the answer is there, until the time is over;
 * what is on its way then is waited for, and the seconds count until it is there. So nothing is lost
 * of answers that take long. wrk reads 8 KiB at a time and counts only what has ended when the time
 * is over.
 *
 * @import { Answer } from './response-parser.mjs'
 */
import { format } from './http-message.mjs'
import { open } from './connection.mjs'
import { receiver } from './response-parser.mjs'
import { workloads } from '../streams/workloads.mjs'

/**
 * @typedef {object} Task
 * @property {string} origin
 * @property {string} workload its name
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * @typedef {object} Load
 * @property {number} answers
 * @property {number} seconds
 * @property {number} busy the share of this time in which this process had its processor
 */

/** @type {Task} */
const { origin, workload, connections, seconds } = JSON.parse(process.argv[2] ?? '')
const timed = workloads.find(({ name }) => name === workload)?.timed
if (timed === undefined) throw new Error(`no workload ${workload}`)

const { method, target, headers, body } = timed.request
const fields = body === undefined ? headers : { ...headers, 'content-length': String(body.length) }
const head = format({ method, target, headers: fields }, new URL(origin).host)
const message = Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)])

/** @type {Answer | undefined} */
let first
let answers = 0
let end = Infinity

/** Every answer is as long as the first one. @type {(answer: Answer) => void} */
const count = (answer) => {
  first ??= answer
  if (answer.status !== 200 || answer.octets !== first.octets)
    throw new Error(`${method} ${target}: ${JSON.stringify(answer)} after ${JSON.stringify(first)}`)
  answers += 1
}

/** @type {() => Promise<() => Promise<void>>} */
const client = async () => {
  /** @type {() => void} */
  let answered = () => undefined
  const take = receiver({
    content: () => undefined,
    end: (answer) => {
      count(answer)
      answered()
    },
  })
  const socket = await open(origin, take)
  /** @type {() => Promise<void>} */
  const exchange = () =>
    new Promise((resolve) => {
      answered = resolve
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
const lasted = (performance.now() - begin) / 1_000
const { user, system } = process.cpuUsage(usage)
/** @type {Load} */
const load = { answers, seconds: lasted, busy: (user + system) / 1_000_000 / lasted }
console.log(JSON.stringify(load))
process.exit()
