/** What half-sent bodies cost in memory: each connection sends all but the last byte of 10 MB. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { headOf } from '../../dist/test/support/hostile/exchange.js'
import { posted } from '../../dist/test/support/hostile/hostile-case.js'
import { start } from '../../dist/test/support/hostile/hostile-server.js'

const connections = 60
const body = Buffer.alloc(10_000_000)

/** Until the server has read what it is going to read. */
const settleMilliseconds = 3_000

/**
 * @typedef {object} HalfSent
 * @property {number} memory the growth of the resident set in bytes
 * @property {number} rejected connections that received a response
 */

/** @type {(build: string, bodySize: string | undefined) => Promise<HalfSent>} */
const halfSent = async (build, bodySize) => {
  const server = await start({
    build,
    flags: ['--expose-gc'],
    ...(bodySize === undefined ? {} : { bodySize }),
  })
  const { hostname, port } = new URL(server.url)
  const request = posted('/bytes', 'application/octet-stream', body)
  let rejected = 0
  const { memory } = await server.whileMeasured(async () => {
    const sockets = await Promise.all(
      Array.from({ length: connections }, async () => {
        const socket = connect(Number(port), hostname)
        await once(socket, 'connect')
        socket.on('error', () => undefined)
        socket.once('data', () => rejected++)
        socket.write(headOf(request))
        socket.write(body.subarray(0, -1))
        return socket
      }),
    )
    await sleep(settleMilliseconds)
    for (const socket of sockets) socket.destroy()
  })
  await server.close()
  return { memory, rejected }
}

/** With the default limits, and with limits that admit each body. @type {(build: string) => Promise<readonly [HalfSent, HalfSent]>} */
export const halfSentBodies = async (build) => [
  await halfSent(build, undefined),
  await halfSent(build, '64M'),
]
