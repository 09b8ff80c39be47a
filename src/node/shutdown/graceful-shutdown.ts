/**
 * Stops a server without losing a request: first answers carry `Connection: close`, so that clients with open connections
 * turn away; then no connection is accepted any more and idle ones are closed; what is still busy at the deadline is cut.
 *
 * Why not `server.close()` alone: it waits for busy keep-alive connections for ever, closes idle ones under the hands of
 * clients that are about to send, and stops enforcing the timeouts of requests that are half sent. Nor does Node count as
 * idle what has never sent anything, or close what it has let go of (CONNECT), so the connections are kept account of here.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { stopListening } from './stop-listening.ts'

export interface DrainTimes {
  /** Milliseconds in which requests on open connections are still answered. */
  readonly grace: number
  /** Milliseconds, from the end of the grace, after which connections are cut. */
  readonly deadline: number
}

/** Milliseconds between looks at what is idle. */
const interval = 50

/** Milliseconds for which connections must be quiet before idle ones are closed: a request may be on its way. */
const longestQuiet = 500

/** The connections that are open, from now on. */
export const trackConnections = (server: Server): ReadonlySet<Socket> => {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

/** Resolves when the last of the connections is closed, with the number of those that had to be cut. */
export const drain = async (
  server: Server,
  connections: ReadonlySet<Socket>,
  { grace, deadline }: DrainTimes,
): Promise<number> => {
  // the time of day may be set while this waits
  const end = performance.now() + grace
  const quiet = Math.min(longestQuiet, deadline / 2)
  const isOver = (): boolean => connections.size === 0
  await until(isOver, end - quiet)
  const before = new Map([...connections].map((socket) => [socket, socket.bytesRead]))
  await until(isOver, end)

  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()))
  await stopListening(server)
  let cut = 0
  const cutting = setTimeout(() => {
    cut = connections.size
    for (const socket of connections) socket.destroy()
  }, deadline)
  const isActive = (socket: Socket): boolean =>
    grace > 0 ? before.get(socket) !== socket.bytesRead : socket.bytesRead === 0
  if ([...connections].some(isActive)) await until(isOver, performance.now() + quiet)

  const closeIdle = (): void => {
    server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  // what has arrived is read before the check phase of the event loop
  setImmediate(closeIdle)
  const looking = setInterval(() => setImmediate(closeIdle), interval)
  await closed
  clearInterval(looking)
  clearTimeout(cutting)
  // ends the checks of `node:http` for timeouts
  server.close()
  return cut
}

/** Resolves when something holds, or at a time of `performance`. */
const until = async (holds: () => boolean, end: number): Promise<void> => {
  for (let left = end - performance.now(); left > 0 && !holds(); left = end - performance.now())
    await wait(Math.min(interval, left))
}
