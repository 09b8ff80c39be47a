/**
 * The load of a fixed rate, as a process of its own: `node steady.mjs '<a Task as JSON>'` prints a
 * `Steadiness` as one line of JSON.
 *
 * Requests are due at equal distances whether or not the ones before them are answered, and a
 * latency counts from when its request was due. A connection carries one request at a time: a due
 * request takes the connection that has been free for longest, else waits for one, and its waiting
 * counts. So a server that stands still for a while is charged with every request of that while. A
 * request that is never answered counts until the end.
 *
 * @import { Socket } from 'node:net'
 * @import { Request } from '../frameworks/workloads.mjs'
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { percentile } from '../support/statistics.mjs'
import { format, parse } from './http-message.mjs'

/**
 * @typedef {object} Task
 * @property {string} origin
 * @property {Request} request
 * @property {number} status what each answer must have
 * @property {number} rate requests per second
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * What a run came to, in milliseconds.
 *
 * @typedef {object} Steadiness
 * @property {number} answered the share of the due requests that was answered by the end of the time
 * @property {number} p50
 * @property {number} p99
 * @property {number} delay 99 % of the requests left not later than this after they were due and had
 * a connection: how late the generator itself was
 */

/** Not counted: the time in which this process compiles itself. */
const runInSeconds = 0.5

/** For the answers that are out when the time is over. */
const graceMilliseconds = 1_000

/**
 * @typedef {object} Connection
 * @property {Socket} socket
 * @property {number} number of the request that is out
 * @property {string} text what has come of its answer
 * @property {number} freeSince
 */

/** @type {(origin: string) => Promise<Connection>} */
const open = async (origin) => {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return { socket, number: -1, text: '', freeSince: 0 }
}

/**
 * Loops in place, because each of the moments taken here is one of the figures: the event loop turns
 * without sleeping, since a timer would be up to a millisecond late.
 *
 * @param {Task} task
 * @param {readonly Connection[]} connections
 * @returns {Promise<Steadiness>}
 */
const run = ({ origin, request, status, rate, seconds }, connections) =>
  new Promise((resolve, reject) => {
    const message = Buffer.from(format(request, new URL(origin).host), 'latin1')
    const runIn = Math.round(rate * runInSeconds)
    const total = runIn + rate * seconds
    const latencies = new Float64Array(total).fill(Infinity)
    const delays = new Float64Array(total)
    const free = [...connections]
    const begin = performance.now()
    const end = begin + (total * 1_000) / rate
    let next = 0
    let out = 0

    /** @type {(number: number) => number} */
    const due = (number) => begin + (number * 1_000) / rate

    /** @type {(now: number) => boolean} */
    const isDue = (now) => next < total && due(next) <= now

    /** @type {(connection: Connection, now: number) => void} */
    const send = (connection, now) => {
      delays[next] = now - Math.max(due(next), connection.freeSince)
      connection.number = next
      connection.socket.write(message)
      next += 1
      out += 1
    }

    /** @type {(connection: Connection, chunk: Buffer) => void} */
    const receive = (connection, chunk) => {
      connection.text += chunk.toString('latin1')
      const answer = parse(connection.text)
      if (answer === undefined) return
      const now = performance.now()
      if (answer.status !== status || answer.length !== connection.text.length)
        throw new Error(`an answer of another kind\n${connection.text.slice(0, 400)}`)
      latencies[connection.number] = now - due(connection.number)
      connection.text = ''
      connection.freeSince = now
      free.push(connection)
      out -= 1
    }

    const finish = () => {
      const now = performance.now()
      const counted = latencies.subarray(runIn)
      const answered = counted.filter((latency, n) => due(runIn + n) + latency <= end).length
      const sorted = counted.map((latency, n) => Math.min(latency, now - due(runIn + n))).toSorted()
      resolve({
        answered: answered / counted.length,
        p50: percentile(sorted, 50),
        p99: percentile(sorted, 99),
        delay: percentile(delays.subarray(runIn, next).toSorted(), 99),
      })
    }

    const turn = () => {
      const now = performance.now()
      for (let at = now; isDue(at); at = performance.now()) {
        const connection = free.shift()
        if (connection === undefined) break
        send(connection, at)
      }
      if (now < end || (now < end + graceMilliseconds && (next < total || out > 0)))
        setImmediate(turn)
      else finish()
    }

    for (const connection of connections) {
      const { socket } = connection
      socket.on('data', (chunk) => receive(connection, chunk))
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('a connection was closed')))
    }
    turn()
  })

/** @type {Task} */
const task = JSON.parse(process.argv[2] ?? '')
const connections = await Promise.all(
  Array.from({ length: task.connections }, () => open(task.origin)),
)
console.log(JSON.stringify(await run(task, connections)))
process.exit()
