/**
 * Closes a listening socket without losing connections. The system completes connections before the process accepts them, and resets
 * those that are not accepted when the listening socket closes.
 *
 * libuv accepts one connection per turn of the event loop, so a busy server always has pending ones. They are accepted without being
 * read until none is pending: clients that wait for a response do not open more connections.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as NetServer } from 'node:net'

/** Maximum time in milliseconds for which connections are accepted. If clients connect faster than that, some are lost. */
const maxTime = 1000

/** Milliseconds without a new connection after which all clients are assumed to wait, if there were new connections. */
const quietTime = 10

/** Milliseconds below which a turn of the event loop counts as idle. A connection that arrives after its poll is lost. */
const idleTurn = 0.1

/**
 * Accepts all pending connections, then stops listening. Resolves when the server no longer listens. Idle connections stay open, unlike
 * after `Server.close` of `node:http`.
 */
export const stopListening = async (server: Server): Promise<void> => {
  const accepted: Socket[] = []
  const add = (socket: Socket): void => void accepted.push(socket)
  server.on('connection', add)
  Reflect.set(server, 'pauseOnConnect', true)
  const start = performance.now()
  let lastAccepted = start
  for (let now = start; now - start < maxTime;) {
    const before = accepted.length
    // the poll of this turn does not block, and reports a pending connection
    await new Promise((resolve) => setImmediate(resolve))
    const turn = performance.now() - now
    now += turn
    if (accepted.length > before) lastAccepted = now
    else if (turn < idleTurn && (accepted.length === 0 || now - lastAccepted >= quietTime)) break
  }
  NetServer.prototype.close.call(server)
  server.off('connection', add)
  for (const socket of accepted) socket.resume()
}
