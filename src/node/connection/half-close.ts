/**
 * Half-closed connections: the client sends FIN after its last request and still reads the response, as `nc -N` does.
 *
 * A client that has disconnected sends the same FIN. So signals abort and streams end at once, while other responses are sent if they
 * begin in time.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { InFlightRequest } from './in-flight-requests.ts'

/**
 * Keeps half-closed connections open for `timeout` milliseconds while responses are pending. 0 closes them at once.
 *
 * Sets `httpAllowHalfOpen`, an undocumented property of `http.Server`. Without it, Node.js ends its side when it receives FIN.
 */
export const allowHalfClose = (
  server: Server,
  timeout: number,
  pending: (socket: Socket) => ReadonlyArray<InFlightRequest>,
): void => {
  if (timeout === 0) return
  Reflect.set(server, 'httpAllowHalfOpen', true)
  function onEnd(this: Socket): void {
    const requests = pending(this)
    if (requests.length === 0) return
    requests.forEach((request, index) => request.halfClosed(index === requests.length - 1))
    const timer = setTimeout(() => {
      for (const request of requests) request.expire()
    }, timeout)
    this.once('close', () => clearTimeout(timer))
  }
  server.on('connection', (socket: Socket) => socket.on('end', onEnd))
}
