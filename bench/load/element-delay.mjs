/**
 * Measures the delay of single stream elements from the source to the client: `node element-delay.mjs '<a Task as JSON>'`
 * prints `Delays` as one line of JSON. Each element contains the time at which the source yielded it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../support/statistics.mjs'
import { microseconds, tickMilliseconds, ticks } from '../streams/payloads.mjs'
import { format } from './http-message.mjs'
import { open } from './connection.mjs'
import { responseParser } from './response-parser.mjs'

/** @typedef {{ readonly origin: string, readonly target: string, readonly connections: number }} Task */

/** Milliseconds. @typedef {{ readonly p50: number, readonly p99: number }} Delays */

/** Warm-up elements of each stream, which are not counted. */
const warmUpElements = 10

/** @type {Task} */
const { origin, target, connections } = JSON.parse(process.argv[2] ?? '')
const message = format({ method: 'GET', target, headers: {} }, new URL(origin).host)

/** Microseconds. @type {number[]} */
const delays = []

/** Reads one stream. @type {() => Promise<void>} */
const listen = () =>
  new Promise((resolve, reject) => {
    let text = ''
    let next = 0
    const onData = responseParser({
      onBody: (bytes) => {
        const now = microseconds()
        text += bytes.toString('latin1')
        for (const [, n, at] of text.matchAll(/\{"n":(\d+),"at":(\d+)\}/g)) {
          if (Number(n) !== next) reject(new Error(`expected element ${next}, got ${n}`))
          if (next >= warmUpElements) delays.push(now - Number(at))
          next += 1
        }
        text = text.slice(text.lastIndexOf('}') + 1)
      },
      onEnd: () =>
        next === ticks ? resolve() : reject(new Error(`expected ${ticks} elements, got ${next}`)),
    })
    open(origin, onData).then((socket) => socket.write(message), reject)
  })

/** @type {Promise<void>[]} */
const streams = []
for (let n = 0; n < connections; n++) {
  streams.push(listen())
  // spreads the elements of the streams evenly over time
  await sleep(tickMilliseconds / connections)
}
await Promise.all(streams)
const ascending = Float64Array.from(delays).toSorted()
/** @type {Delays} */
const result = { p50: percentile(ascending, 50) / 1_000, p99: percentile(ascending, 99) / 1_000 }
console.log(JSON.stringify(result))
process.exit()
