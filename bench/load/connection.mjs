/**
 * Connections that read into one reused buffer and discard the bytes.
 *
 * @import { Socket } from 'node:net'
 */
import { once } from 'node:events'
import { connect } from 'node:net'

/** At least the number of bytes that one read returns. */
const bufferSize = 256 * 1024

/**
 * Opens a connection and calls `onData` with the bytes of each read. They are valid only during the call. Throws if the
 * server closes the connection.
 *
 * @type {(origin: string, onData: (bytes: Buffer) => void) => Promise<Socket>}
 */
export const open = async (origin, onData) => {
  const { hostname, port } = new URL(origin)
  const buffer = Buffer.alloc(bufferSize)
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer,
      callback: (length) => {
        onData(buffer.subarray(0, length))
        return true
      },
    },
  })
  await once(socket, 'connect')
  socket.on('end', () => {
    throw new Error('the server closed a connection')
  })
  return socket
}
