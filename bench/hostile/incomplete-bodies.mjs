/** Measures the memory for incomplete request bodies on many concurrent connections. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { headOf } from '../../dist/test/hostile/exchange.js'
import { posted } from '../../dist/test/hostile/hostile-case.js'
import { start } from '../../dist/test/hostile/hostile-server.js'

const size = 10_000_000
/** Time for the server to read the received bytes. */
const settleMilliseconds = 3_000

const head = headOf(posted('/bytes', 'application/byte-stream', Buffer.alloc(size)))
const chunked = head.replace(/Content-Length: \d+/i, 'Transfer-Encoding: chunked')

/**
 * @typedef {object} Attack
 * @property {string} title
 * @property {number} connections
 * @property {() => Buffer} sent returns the bytes that each connection sends
 */

/** @type {readonly Attack[]} */
export const attacks = [
  {
    title: '60 connections: all but the last byte of 10 MB',
    connections: 60,
    sent: () => Buffer.concat([Buffer.from(head), Buffer.alloc(size - 1)]),
  },
  {
    title: '60 connections: 10 MB in a chunk without an end',
    connections: 60,
    sent: () =>
      Buffer.concat([Buffer.from(`${chunked}${size.toString(16)}\r\n`), Buffer.alloc(size - 1)]),
  },
  {
    title: '60 connections: 500 kB in chunks of one byte',
    connections: 60,
    sent: () => Buffer.from(chunked + '1\r\nx\r\n'.repeat(size / 20)),
  },
  {
    title: '500 connections: nothing of 10 MB',
    connections: 500,
    sent: () => Buffer.from(head),
  },
]

/**
 * @typedef {object} Cost
 * @property {number} memory the growth of the resident set in bytes
 * @property {number} rejected connections that received a response
 */

/**
 * Measures an attack on a build. `bodySize` is the body size limit of the operation, in the syntax of the settings.
 *
 * @type {(build: string, attack: Attack, settings?: Record<string, string>, bodySize?: string) => Promise<Cost>}
 */
export const costOf = async (build, { connections, sent }, settings = {}, bodySize) => {
  const flags = ['--expose-gc']
  const raised = bodySize === undefined ? {} : { bodySize }
  const server = await start({ build, flags, settings, ...raised })
  const { hostname, port } = new URL(server.url)
  const bytes = sent()
  let rejected = 0
  const { memory } = await server.whileMeasured(async () => {
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.once('data', () => rejected++)
      socket.write(bytes)
      return socket
    })
    await sleep(settleMilliseconds)
    for (const socket of sockets) socket.destroy()
  })
  await server.close()
  return { memory, rejected }
}
