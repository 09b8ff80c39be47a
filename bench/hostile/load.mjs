/** What requests wait for when there are too many, and when streams never wait. */
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { start } from '../../dist/test/support/hostile/hostile-server.js'
import { percentile } from '../statistics.mjs'
import { capacity, openLoop } from './open-loop.mjs'

const overloadSeconds = 6
/** Load shedding may take so long to begin. */
const uncountedMilliseconds = 2_000
const excess = 4

/** @type {(values: readonly number[], share: number) => number} */
const percentileOf = (values, share) => percentile(Float64Array.from(values).toSorted(), share)

/**
 * @typedef {object} Overload
 * @property {number} accepted the 99th percentile of the latency of requests that were not rejected, in milliseconds; a missing
 * response counts until the end
 * @property {number} rejected the 99th percentile of the latency of 503, in milliseconds
 * @property {number} share the share of requests that were handled
 */

/** Four times as many requests as the server can handle, each of which takes a millisecond. @type {(build: string) => Promise<Overload>} */
export const overload = async (build) => {
  const server = await start({ build })
  try {
    const url = `${server.url}/work`
    await capacity(url, 16, 1)
    const rate = excess * (await capacity(url, 16, 2))
    const counted = (await openLoop(url, rate, overloadSeconds)).filter(
      ({ due }) => due >= uncountedMilliseconds,
    )
    const rejected = counted.filter(({ status }) => status === 503)
    const others = counted.filter(({ status }) => status !== 503)
    return {
      accepted: percentileOf(
        others.map(({ latency }) => latency),
        99,
      ),
      rejected: percentileOf(
        rejected.map(({ latency }) => latency),
        99,
      ),
      share: counted.filter(({ status }) => status === 200).length / counted.length,
    }
  } finally {
    await server.close()
  }
}

const streams = 50
const pings = 100

/** @type {(url: string) => Promise<number>} */
const ping = async (url) => {
  const begin = performance.now()
  const [response] = await once(get(url, { agent: false }), 'response')
  response.resume()
  await once(response, 'end')
  return performance.now() - begin
}

/** The median and the 99th percentile of the latency of requests beside streams whose sources never wait, in milliseconds. @type {(build: string) => Promise<readonly [median: number, p99: number]>} */
export const fairness = async (build) => {
  const server = await start({ build })
  const { hostname, port } = new URL(server.url)
  const sockets = Array.from({ length: streams }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.resume()
    socket.write('GET /endless HTTP/1.1\r\nHost: a.example\r\n\r\n')
    return socket
  })
  try {
    for (let n = 0; n < 10; n++) await ping(`${server.url}/ping`)
    /** @type {number[]} */
    const latencies = []
    for (let n = 0; n < pings; n++) latencies.push(await ping(`${server.url}/ping`))
    return [percentileOf(latencies, 50), percentileOf(latencies, 99)]
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.close()
  }
}
