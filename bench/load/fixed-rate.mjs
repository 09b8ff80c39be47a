/**
 * An open-loop load generator: `node fixed-rate.mjs '<a Task as JSON>'` prints a `FixedRateResult` as one line of JSON.
 *
 * Requests are due at equal intervals, whether or not earlier responses have arrived. A latency is measured from the due time
 * of its request. A connection has one request at a time: a due request uses the connection that has been free for longest, or
 * waits for one, and the wait is part of the latency. A server that stalls is therefore charged with all requests of that
 * time. A request without a response counts until the end of the run.
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
 * @property {number} status the expected status
 * @property {number} rate requests per second
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * The result of a run; times are in milliseconds.
 *
 * @typedef {object} FixedRateResult
 * @property {number} completed the fraction of the due requests that had a response by the end
 * @property {number} p50
 * @property {number} p99
 * @property {number} delay the 99th percentile of the delay of the generator itself: from when a request is due and has a
 * connection until it is written
 */

/** Warm-up of this process, which is not counted. */
const warmUpSeconds = 0.5

/** Wait for pending responses at the end. */
const graceMilliseconds = 1_000

/**
 * @typedef {object} Connection
 * @property {Socket} socket
 * @property {number} number the number of the pending request
 * @property {string} text the received part of the response
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
 * Sends the requests and measures the latencies. Polls with `setImmediate` because a timer can be up to a millisecond late.
 *
 * @param {Task} task
 * @param {readonly Connection[]} connections
 * @returns {Promise<FixedRateResult>}
 */
const run = ({ origin, request, status, rate, seconds }, connections) =>
  new Promise((resolve, reject) => {
    const message = Buffer.from(format(request, new URL(origin).host), 'latin1')
    const warmUp = Math.round(rate * warmUpSeconds)
    const total = warmUp + rate * seconds
    const latencies = new Float64Array(total).fill(Infinity)
    const delays = new Float64Array(total)
    const free = [...connections]
    const begin = performance.now()
    const end = begin + (total * 1_000) / rate
    let next = 0
    let pending = 0

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
      pending += 1
    }

    /** @type {(connection: Connection, chunk: Buffer) => void} */
    const receive = (connection, chunk) => {
      connection.text += chunk.toString('latin1')
      const response = parse(connection.text)
      if (response === undefined) return
      const now = performance.now()
      if (response.status !== status || response.length !== connection.text.length)
        throw new Error(`unexpected response\n${connection.text.slice(0, 400)}`)
      latencies[connection.number] = now - due(connection.number)
      connection.text = ''
      connection.freeSince = now
      free.push(connection)
      pending -= 1
    }

    const finish = () => {
      const now = performance.now()
      const counted = latencies.subarray(warmUp)
      const completed = counted.filter((latency, n) => due(warmUp + n) + latency <= end).length
      const sorted = counted
        .map((latency, n) => Math.min(latency, now - due(warmUp + n)))
        .toSorted()
      resolve({
        completed: completed / counted.length,
        p50: percentile(sorted, 50),
        p99: percentile(sorted, 99),
        delay: percentile(delays.subarray(warmUp, next).toSorted(), 99),
      })
    }

    const turn = () => {
      const now = performance.now()
      for (let at = now; isDue(at); at = performance.now()) {
        const connection = free.shift()
        if (connection === undefined) break
        send(connection, at)
      }
      if (now < end || (now < end + graceMilliseconds && (next < total || pending > 0)))
        setImmediate(turn)
      else finish()
    }

    for (const connection of connections) {
      const { socket } = connection
      socket.on('data', (chunk) => receive(connection, chunk))
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
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
