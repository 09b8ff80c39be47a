/**
 * The cost of pipelined requests whose responses are not read, over direct connections: how long other requests wait, and the memory
 * that is taken. Other processes can disturb a measurement, which is then repeated.
 */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { rawRequest } from '../../support/raw.ts'
import { connectTo } from '../../support/raw-connection.ts'

const program = fileURLToPath(new URL('../../programs/pipelined-api.js', import.meta.url))

/** Length of one measurement, in milliseconds. */
const duration = 1000
const attempts = 3

const memoryOf = async (server: ChildProcess): Promise<number> => {
  server.send('memory')
  const [bytes] = (await once(server, 'message')) as [number]
  return bytes
}

/** Sends one request after another for the length of a measurement. Returns the longest wait in milliseconds. */
const longestWait = async (url: string): Promise<number> => {
  const connection = await connectTo(url)
  try {
    let longest = 0
    const end = performance.now() + duration
    for (let now = performance.now(); now < end; now = performance.now()) {
      connection.write(rawRequest('GET /small'))
      assert.is((await connection.next()).status, 200)
      longest = Math.max(longest, performance.now() - now)
      await wait(1)
    }
    return longest
  } finally {
    connection.destroy()
  }
}

const openUnread = (url: string, message: string): Socket => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(message, 'latin1')
  return socket
}

interface Figures {
  /** Longest wait in milliseconds. */
  readonly wait: number
  /** Longest wait without pipelined requests, which other processes cause. */
  readonly idle: number
  readonly megabytes: number
}

const measure = async (path: string, connections: number, requests: number): Promise<Figures> => {
  const server = fork(program, { execArgv: ['--expose-gc'] })
  const sockets: Socket[] = []
  try {
    const [url] = (await once(server, 'message')) as [string]
    // memory also grows while responses are read
    const warmUp = Array.from({ length: connections }, () =>
      openUnread(url, rawRequest(`GET ${path}`).repeat(30)).resume(),
    )
    await longestWait(url)
    for (const socket of warmUp) socket.destroy()
    const idle = await longestWait(url)
    const before = await memoryOf(server)
    const waiting = longestWait(url)
    const message = rawRequest(`GET ${path}`).repeat(requests)
    for (let index = 0; index < connections; index++) sockets.push(openUnread(url, message))
    const longest = await waiting
    return {
      wait: Math.round(longest),
      idle: Math.round(idle),
      megabytes: Math.round(((await memoryOf(server)) - before) / 1e6),
    }
  } finally {
    for (const socket of sockets) socket.destroy()
    server.kill()
  }
}

/** Twice the goals of 50 ms and 50 MB, because machines differ. */
const isAcceptable = (figures: Figures): boolean =>
  figures.wait < 100 + figures.idle && figures.megabytes < 100

describe('pipelined requests over direct connections whose responses are not read', (test) => {
  table(
    test,
    [
      ['/large', 100, 1000],
      ['/small', 100, 1000],
      ['/small', 1, 100_000],
    ] as const,
    async (path, connections, requests) => {
      const measured: Figures[] = []
      while (measured.length < attempts && !measured.some(isAcceptable))
        measured.push(await measure(path, connections, requests))
      const title = `${connections} connections, ${requests} GET ${path}`
      console.log(`${title}: ${JSON.stringify(measured)}`)
      assert.ok(measured.some(isAcceptable), JSON.stringify(measured))
    },
  )
})
