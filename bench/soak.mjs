/**
 * The soak: sends a server a million requests of every kind and looks whether it holds more at the
 * end than when it had run in. Ends with 1 when it does, or when an answer is wrong.
 *
 * @import { Holding } from './soak/server.mjs'
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { client } from './soak/client.mjs'
import { kindOf, kinds } from './soak/request-kinds.mjs'
import { start } from './soak/server.mjs'
import { table } from './support/markdown-table.mjs'

/** As many requests are out at once. */
const clients = 32
/** The server may wait for the end of a connection that was closed: 2 s. */
const settleMilliseconds = 3_000
const mebi = 1_048_576

const { values } = parseArgs({ options: { requests: { type: 'string', default: '1000000' } } })
const total = Number(values.requests)
if (!Number.isInteger(total) || total < 1_000) throw new Error('--requests takes 1000 or more')
const runIn = Math.floor(total / 5)

/** @type {(value: number) => string} */
const mebibytes = (value) => (value / mebi).toFixed(2)

/** @type {readonly { readonly title: string, readonly of: (holding: Holding) => number, readonly show: (value: number) => string, readonly most: number }[]} */
const quantities = [
  { title: 'heapUsed, MiB', of: ({ heapUsed }) => heapUsed, show: mebibytes, most: 2 * mebi },
  { title: 'RSS, MiB', of: ({ rss }) => rss, show: mebibytes, most: 32 * mebi },
  { title: 'descriptors', of: ({ descriptors }) => descriptors, show: String, most: 5 },
  { title: 'active resources', of: ({ resources }) => resources, show: String, most: Infinity },
]

const server = await start()
const all = Array.from({ length: clients }, () => client(server.origin))
let next = 0

/** Sends until so many have been sent, and closes every connection. @type {(until: number) => Promise<void>} */
const sendUntil = async (until) => {
  await Promise.all(
    all.map(async ({ send, close }) => {
      while (next < until) {
        const n = next++
        const kind = kindOf(n)
        await send(kind, n).catch((cause) => {
          throw new Error(`request ${n}, ${kind.name}: wrong`, { cause })
        })
      }
      await close()
    }),
  )
  await sleep(settleMilliseconds)
}

try {
  const begin = performance.now()
  await sendUntil(runIn)
  const before = await server.holding()
  await sendUntil(total)
  const after = await server.holding()
  const rows = quantities.map(({ title, of, show, most }) => {
    const growth = of(after) - of(before)
    if (growth > most) {
      process.exitCode = 1
      console.error(`${title}: grew by ${show(growth)}, which is more than ${show(most)}`)
    }
    const limit = most === Infinity ? '' : show(most)
    return [title, show(of(before)), show(of(after)), show(growth), limit]
  })
  const number = (/** @type {number} */ value) => value.toLocaleString('en')
  console.log(
    table([
      ['held after', `${number(runIn)} requests`, number(total), 'growth', 'at most'],
      ...rows,
    ]),
  )
  const shares = kinds.map(({ name, share }) => `${name} ${share}`).join(', ')
  const seconds = Math.round((performance.now() - begin) / 1_000)
  console.log(`\nIn ${seconds} s, every answer right. Of 1,000 requests: ${shares}.`)
} finally {
  await server.stop()
}
