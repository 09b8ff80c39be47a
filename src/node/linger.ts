/**
 * Closes a connection without losing the answer. A socket that is closed while octets from the client are still unread is
 * reset, and the client may never see what was sent (RFC 9112, 9.6). So the rest is read and dropped for a while first.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Milliseconds and octets for which a client may go on sending what nobody wants. */
const longest = 2000
const most = 16 * 1024 * 1024

/** Ends a response whose content was written, once the request has been read, or has had its chance. */
export const endAfterReading = (request: IncomingMessage, response: ServerResponse): void => {
  const { socket } = request
  let octets = 0
  const end = (): void => {
    clearTimeout(timer)
    request.off('data', drop)
    request.off('end', end)
    request.off('close', end)
    socket.off('end', end)
    response.end()
  }
  const drop = (chunk: Buffer): void => {
    octets += chunk.length
    if (octets > most) end()
  }
  const timer = setTimeout(end, longest)
  request.on('data', drop)
  request.on('end', end)
  request.on('close', end)
  socket.on('end', end)
  if (socket.readableEnded) end()
}

/** Sends the last octets of a connection, and closes it once the client has done so too, or has had its chance. */
export const hangUp = (socket: Duplex, last = ''): void => {
  socket.end(last)
  const timer = setTimeout(() => socket.destroy(), longest)
  socket.once('close', () => clearTimeout(timer))
}
