/**
 * How long an element that is alone is on its way, as a process of its own: `node delays.mjs
 * '<a Task as JSON>'` prints `Delays` as one line of JSON. Elements say when they were given.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../support/statistics.mjs'
import { microseconds, tickMilliseconds, ticks } from '../streams/payloads.mjs'
import { format } from './http-message.mjs'
import { open } from './connection.mjs'
import { receiver } from './response-parser.mjs'

/** @typedef {{ readonly origin: string, readonly target: string, readonly connections: number }} Task */

/** Milliseconds. @typedef {{ readonly p50: number, readonly p99: number }} Delays */

/** Of each stream; not counted, because code is compiled meanwhile. */
const runIn = 10

/** @type {Task} */
const { origin, target, connections } = JSON.parse(process.argv[2] ?? '')
const message = format({ method: 'GET', target, headers: {} }, new URL(origin).host)

/** Microseconds. @type {number[]} */
const delays = []

/** One stream. @type {() => Promise<void>} */
const listen = () =>
  new Promise((resolve, reject) => {
    let text = ''
    let next = 0
    const take = receiver({
      content: (octets) => {
        const now = microseconds()
        text += octets.toString('latin1')
        for (const [, n, at] of text.matchAll(/\{"n":(\d+),"at":(\d+)\}/g)) {
          if (Number(n) !== next) reject(new Error(`element ${n}, not ${next}`))
          if (next >= runIn) delays.push(now - Number(at))
          next += 1
        }
        text = text.slice(text.lastIndexOf('}') + 1)
      },
      end: () => (next === ticks ? resolve() : reject(new Error(`${next} elements, not ${ticks}`))),
    })
    open(origin, take).then((socket) => socket.write(message), reject)
  })

/** @type {Promise<void>[]} */
const streams = []
for (let n = 0; n < connections; n++) {
  streams.push(listen())
  // elements of one stream are not to wait for those of another
  await sleep(tickMilliseconds / connections)
}
await Promise.all(streams)
const ascending = Float64Array.from(delays).toSorted()
/** @type {Delays} */
const found = { p50: percentile(ascending, 50) / 1_000, p99: percentile(ascending, 99) / 1_000 }
console.log(JSON.stringify(found))
process.exit()
