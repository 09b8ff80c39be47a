/**
 * Connections that keep nothing of what comes on them: all octets come into one buffer.
 *
 * @import { Socket } from 'node:net'
 */
import { once } from 'node:events'
import { connect } from 'node:net'

/** As much as the system hands over at once. */
const bufferSize = 256 * 1024

/**
 * Opens a connection. What comes is only there while `take` runs; nothing may come after the
 * connection was closed by the other end, which throws.
 *
 * @type {(origin: string, take: (came: Buffer) => void) => Promise<Socket>}
 */
export const open = async (origin, take) => {
  const { hostname, port } = new URL(origin)
  const buffer = Buffer.alloc(bufferSize)
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer,
      callback: (length) => {
        take(buffer.subarray(0, length))
        return true
      },
    },
  })
  await once(socket, 'connect')
  socket.on('end', () => {
    throw new Error('the server has closed a connection')
  })
  return socket
}
