/**
 * The soak test: sends a million requests of all kinds and compares the resource usage of the server with that after a
 * warm-up. Exits with 1 if the usage has grown beyond the limits, or if a response is unexpected.
 *
 *     node soak.mjs [--requests 1000000] [--connection node|direct]
 *
 * @import { ResourceUsage } from './soak/server.mjs'
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { client } from './soak/client.mjs'
import { kindOf, kinds } from './soak/request-kinds.mjs'
import { startProcess } from './soak/server.mjs'
import { table } from './support/markdown-table.mjs'

/** Number of concurrent requests. */
const clients = 32
/** Longer than the 2 s for which the server waits for a client to close its connection. */
const settleMilliseconds = 3_000
const mebi = 1_048_576

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    connection: { type: 'string', default: 'node' },
  },
})
const total = Number(values.requests)
if (!Number.isInteger(total) || total < 1_000)
  throw new Error('--requests must be an integer of at least 1000')
if (values.connection !== 'node' && values.connection !== 'direct')
  throw new Error('--connection must be node or direct')
const warmUp = Math.floor(total / 5)

/** @type {(value: number) => string} */
const mebibytes = (value) => (value / mebi).toFixed(2)

/** @type {readonly { readonly title: string, readonly of: (usage: ResourceUsage) => number, readonly show: (value: number) => string, readonly maximum: number }[]} */
const limits = [
  { title: 'heapUsed, MiB', of: ({ heapUsed }) => heapUsed, show: mebibytes, maximum: 2 * mebi },
  { title: 'RSS, MiB', of: ({ rss }) => rss, show: mebibytes, maximum: 32 * mebi },
  { title: 'descriptors', of: ({ descriptors }) => descriptors, show: String, maximum: 5 },
  { title: 'active resources', of: ({ resources }) => resources, show: String, maximum: Infinity },
]

const script = fileURLToPath(new URL('server/espalier.mjs', import.meta.url))
const server = await startProcess(script, ['0'], {
  FW_HTTP_CONNECTION: values.connection,
  // other processes may delay the event loop
  FW_HTTP_OVERLOAD_ENABLED: 'false',
})
const all = Array.from({ length: clients }, () => client(server.origin))
let next = 0

/** Sends requests up to number `until` and closes all connections. @type {(until: number) => Promise<void>} */
const sendUntil = async (until) => {
  await Promise.all(
    all.map(async ({ send, close }) => {
      while (next < until) {
        const n = next++
        const kind = kindOf(n)
        await send(kind, n).catch((cause) => {
          throw new Error(`request ${n}, ${kind.name}: unexpected response`, { cause })
        })
      }
      await close()
    }),
  )
  await sleep(settleMilliseconds)
}

try {
  const begin = performance.now()
  await sendUntil(warmUp)
  const before = await server.usage()
  await sendUntil(total)
  const after = await server.usage()
  const rows = limits.map(({ title, of, show, maximum }) => {
    const growth = of(after) - of(before)
    if (growth > maximum) {
      process.exitCode = 1
      console.error(`${title}: grew by ${show(growth)}, expected at most ${show(maximum)}`)
    }
    const limit = maximum === Infinity ? '' : show(maximum)
    return [title, show(of(before)), show(of(after)), show(growth), limit]
  })
  const number = (/** @type {number} */ value) => value.toLocaleString('en')
  console.log(
    table([
      ['usage after', `${number(warmUp)} requests`, number(total), 'growth', 'limit'],
      ...rows,
    ]),
  )
  const shares = kinds.map(({ name, share }) => `${name} ${share}`).join(', ')
  const seconds = Math.round((performance.now() - begin) / 1_000)
  console.log(
    `\n\`fw.http.connection=${values.connection}\`: in ${seconds} s, all responses as expected. Of 1,000 requests: ${shares}.`,
  )
} finally {
  await server.stop()
}
