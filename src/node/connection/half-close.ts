/**
 * Half-closed connections: a client sends FIN after its last request and still reads the response, as `nc -N` does. The FIN
 * also is all that is seen of a client that has disconnected, so signals abort and streams end at once. Other responses are
 * sent if they begin in time.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { InFlightRequest } from './parser-failure.ts'

/**
 * Keeps half-closed connections open for `timeout` milliseconds while responses are pending; 0 closes them at once.
 *
 * `httpAllowHalfOpen` is a property of `http.Server` without documentation. Without it, Node ends its side on a FIN.
 */
export const allowHalfClose = (
  server: Server,
  timeout: number,
  pending: (socket: Socket) => ReadonlyArray<InFlightRequest>,
): void => {
  if (timeout === 0) return
  Reflect.set(server, 'httpAllowHalfOpen', true)
  function onEnd(this: Socket): void {
    const flights = pending(this)
    if (flights.length === 0) return
    flights.forEach((flight, index) => flight.halfClosed(index === flights.length - 1))
    const timer = setTimeout(() => {
      for (const flight of flights) flight.expire()
    }, timeout)
    this.once('close', () => clearTimeout(timer))
  }
  server.on('connection', (socket: Socket) => socket.on('end', onEnd))
}
