/**
 * Lingering close: sends FIN after the last response, then reads and discards what the client still sends, up to a limit.
 *
 * Closing with unread request bytes resets the connection, and the client may lose the response (RFC 9112, 9.6).
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Maximum time in milliseconds, and maximum number of bytes, for which the client may continue to send after the FIN. */
const maxTime = 2000
const maxBytes = 16 * 1024 * 1024

/** Milliseconds between two checks of these limits. */
const checkInterval = 100

/**
 * Replaces the immediate close after the last response of a connection by a lingering close.
 *
 * `node:http` calls `destroySoon` once the last response is written. The parser continues to read and discard the body.
 */
export const lingerAfterResponse = (request: IncomingMessage): void => {
  const { socket } = request
  socket.destroySoon = () => {
    lingeringClose(socket)
    request.resume()
  }
}

/** Writes `data`, half-closes the socket and waits up to 2 s for the client to close its side. */
export const lingeringClose = (socket: Duplex, data = ''): void => {
  if (!socket.writable) return
  socket.end(data)
  const startTime = performance.now()
  const bytesBefore = bytesRead(socket)
  const timer = setInterval(() => {
    const isExceeded =
      performance.now() - startTime >= maxTime || bytesRead(socket) - bytesBefore > maxBytes
    if (isExceeded) socket.destroy()
  }, checkInterval)
  socket.once('close', () => clearInterval(timer))
}

const bytesRead = (socket: Duplex & Partial<Pick<Socket, 'bytesRead'>>): number =>
  socket.bytesRead ?? 0
