/**
 * Lingering close: sends FIN right after the last response, then reads and discards what the client still sends, for a
 * bounded time. Closing with unread bytes would reset the connection, and the client may lose the response (RFC 9112, 9.6).
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Milliseconds and bytes for which the client may go on sending after the FIN. */
const longest = 2000
const most = 16 * 1024 * 1024

/** Milliseconds between two checks of these limits. */
const interval = 100

/**
 * Replaces the immediate close after the last response of a connection by a lingering close.
 *
 * `node:http` calls `destroySoon` once the last response is written. The parser goes on reading, so that the rest of the body
 * is discarded.
 */
export const lingerAfterResponse = (request: IncomingMessage): void => {
  const { socket } = request
  socket.destroySoon = () => {
    lingeringClose(socket)
    request.resume()
  }
}

/** Writes `last`, half-closes the socket and waits a bounded time for the client to close its side. */
export const lingeringClose = (socket: Duplex, last = ''): void => {
  if (!socket.writable) return
  socket.end(last)
  const begun = performance.now()
  const before = bytesRead(socket)
  const timer = setInterval(() => {
    if (performance.now() - begun >= longest || bytesRead(socket) - before > most) socket.destroy()
  }, interval)
  socket.once('close', () => clearInterval(timer))
}

const bytesRead = (socket: Duplex & Partial<Pick<Socket, 'bytesRead'>>): number =>
  socket.bytesRead ?? 0
