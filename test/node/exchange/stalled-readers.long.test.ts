/** The memory of connections whose clients do not read a large response. */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { StalledReport } from '../../programs/stalled-api.ts'
import { bundleEnvironment, program } from '../../support/bundled.ts'
import { describe, table } from '../../support/describe.ts'

const connections = 200

/**
 * Maximum memory of a connection, in bytes. A stream holds a chunk of at most 32 KiB and the first element of the next one. Measured with
 * Node.js 20: 42 KiB with `node` and 38 KiB with `direct`, and at most 9 KiB without a stream. When the first chunk of the stream and
 * the original of a copied chunk stayed in memory, it was 75 and 104 KiB.
 */
const maxMemory = 64 * 1024

const reportOf = async (server: ChildProcess): Promise<StalledReport> => {
  server.send('report')
  const [report] = (await once(server, 'message')) as [StalledReport]
  return report
}

/** Opens connections that request a path and read nothing. */
const openStalled = (url: string, path: string, count: number): Promise<ReadonlyArray<Socket>> => {
  const { hostname, port } = new URL(url)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined).pause()
      await once(socket, 'connect')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      return socket
    }),
  )
}

/** Waits until the send buffers of the operating system are full. Resolves to the memory of the server. */
const stalledMemory = async (server: ChildProcess): Promise<number> => {
  let before = await reportOf(server)
  for (let unchanged = 0; unchanged < 3;) {
    await wait(300)
    const report = await reportOf(server)
    unchanged = report.elements === before.elements ? unchanged + 1 : 0
    before = report
  }
  return before.memory
}

const rows = (['node', 'direct'] as const).flatMap((connection) =>
  ['/texts', '/chunks', '/large'].map((path): [title: string, connection: string, path: string] => [
    `${connection}, GET ${path}`,
    connection,
    path,
  ]),
)

describe('memory of connections whose clients do not read', (test) => {
  table(test, rows, async (_, connection, path) => {
    const server = fork(program('stalled-api.js'), [connection], {
      env: bundleEnvironment(),
      execArgv: ['--expose-gc'],
    })
    try {
      const [url] = (await once(server, 'message')) as [string]
      for (const socket of await openStalled(url, path, 10)) socket.destroy()
      const before = await stalledMemory(server)
      const sockets = await openStalled(url, path, connections)
      const memory = ((await stalledMemory(server)) - before) / connections
      for (const socket of sockets) socket.destroy()
      assert.ok(memory < maxMemory, `${Math.round(memory)} bytes for each connection`)
    } finally {
      server.kill()
    }
  })
})
