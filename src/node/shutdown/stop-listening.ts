/**
 * Closes a listening socket without losing connections. The system completes connections before the process accepts them,
 * and resets those that wait when the listening socket closes.
 *
 * libuv accepts one connection per turn of the event loop, so a busy server always has some waiting. Connections are therefore
 * accepted without being read until none waits: clients that wait for a response open no others meanwhile.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as NetServer } from 'node:net'

/** Milliseconds for which connections are accepted at most: as long as clients connect faster, some are lost. */
const longest = 1000

/** Milliseconds without a new connection after which clients count as waiting, if there were any. */
const lull = 10

/** Milliseconds of a turn of the event loop in which little happens: what connects after its poll is lost. */
const little = 0.1

/**
 * Accepts all connections that wait, then stops listening. Resolves when the server listens no more. Idle connections stay
 * open, unlike after `Server.close` of `node:http`.
 */
export const stopListening = async (server: Server): Promise<void> => {
  const accepted: Socket[] = []
  const add = (socket: Socket): void => void accepted.push(socket)
  server.on('connection', add)
  Reflect.set(server, 'pauseOnConnect', true)
  const begun = performance.now()
  let last = begun
  for (let now = begun; now - begun < longest;) {
    const before = accepted.length
    // the poll of this turn does not wait, and it reports a connection that waits to be accepted
    await new Promise((resolve) => setImmediate(resolve))
    const turn = performance.now() - now
    now += turn
    if (accepted.length > before) last = now
    else if (turn < little && (accepted.length === 0 || now - last >= lull)) break
  }
  NetServer.prototype.close.call(server)
  server.off('connection', add)
  for (const socket of accepted) socket.resume()
}
