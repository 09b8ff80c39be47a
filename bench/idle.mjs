/**
 * Measures the memory of idle connections: connections stay open after one request each, and the memory of the server after a garbage
 * collection is compared with that before they were opened. Each server is a process of its own. Exits with 1 if direct connections take
 * more than 60 % of the memory of handwritten `node:http`.
 *
 *     node idle.mjs [--connections 10000] [--rounds 3]
 *
 * @import { Socket } from 'node:net'
 * @import { ResourceUsage } from './soak/server.mjs'
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { startProcess } from './soak/server.mjs'
import { parseCount } from './support/arguments.mjs'
import { describeEnvironment } from './support/environment.mjs'
import { table } from './support/markdown-table.mjs'
import { median } from './support/statistics.mjs'

/** Maximum memory of direct connections as a ratio to that of `node:http`. */
const goal = 0.6
/** Number of connections that are opened at the same time. */
const concurrency = 50
/** Number of connections before the measurement, after which all code is loaded. */
const warmUp = 500

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
  },
})
const connections = parseCount('connections', values.connections, 25_000)
const rounds = parseCount('rounds', values.rounds, 20)

const script = fileURLToPath(new URL('idle/server.mjs', import.meta.url))
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** Opens a connection, and sends one request. @type {(port: number) => Promise<Socket>} */
const open = async (port) => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(request)
  let received = ''
  while (!received.endsWith('Hello')) received += (await once(socket, 'data'))[0]
  return socket
}

/** Opens connections, each with one request. @type {(port: number, count: number) => Promise<Socket[]>} */
const openAll = async (port, count) => {
  /** @type {Socket[]} */
  const sockets = []
  let next = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next++ < count) sockets.push(await open(port))
    }),
  )
  return sockets
}

/** Closes connections. @type {(sockets: readonly Socket[]) => Promise<void>} */
const closeAll = async (sockets) => {
  await Promise.all(sockets.map((socket) => once(socket.end(), 'close')))
}

/**
 * Returns the growth of the memory for each connection, in bytes.
 *
 * @type {(kind: string) => Promise<{ readonly heap: number, readonly resident: number }>}
 */
const measure = async (kind) => {
  const server = await startProcess(script, [kind])
  const port = Number(server.origin.port)
  try {
    await closeAll(await openAll(port, warmUp))
    const before = await server.usage()
    const sockets = await openAll(port, connections)
    const after = await server.usage()
    const isOpen = sockets.every((socket) => socket.readable)
    if (!isOpen) throw new Error('the server has closed a connection')
    for (const socket of sockets) socket.destroy()
    /** @type {(of: (usage: ResourceUsage) => number) => number} */
    const growth = (of) => (of(after) - of(before)) / connections
    return {
      heap: growth(({ heapUsed, external }) => heapUsed + external),
      resident: growth(({ rss }) => rss),
    }
  } finally {
    await server.stop()
  }
}

const kinds = ['raw', 'node', 'direct']
const titles = ['`node:http`', 'espalier, `node`', 'espalier, `direct`']
/** @type {Map<string, { readonly heap: number, readonly resident: number }[]>} */
const results = new Map(kinds.map((kind) => [kind, []]))
for (let round = 0; round < rounds; round++)
  for (const kind of kinds) results.get(kind)?.push(await measure(kind))

/** @type {(kind: string, part: 'heap' | 'resident') => number} */
const bytes = (kind, part) => median((results.get(kind) ?? []).map((result) => result[part]))
/** @type {(part: 'heap' | 'resident', title: string) => string[]} */
const row = (part, title) => [
  title,
  ...kinds.map((kind) => {
    const value = bytes(kind, part)
    return `${Math.round(value).toLocaleString('en')} (${(value / bytes('raw', part)).toFixed(2)})`
  }),
]

console.log(`${describeEnvironment()}; ${connections.toLocaleString('en')} connections\n`)
console.log(
  table([
    ['bytes for each idle connection', ...titles],
    row('heap', 'heap and external memory'),
    row('resident', 'resident set'),
  ]),
)
const ratio = bytes('direct', 'resident') / bytes('raw', 'resident')
if (ratio > goal) {
  process.exitCode = 1
  console.error(
    `direct connections take ${ratio.toFixed(2)} of the memory, expected at most ${goal}`,
  )
}
