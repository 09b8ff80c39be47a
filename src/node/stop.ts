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

export interface StopTimes {
  /** Milliseconds in which requests on open connections are still answered. */
  readonly grace: number
  /** Milliseconds, from the end of the grace, after which connections are cut. */
  readonly deadline: number
}

/** Milliseconds between looks at what is idle. */
const interval = 50

/** The connections that are open, from now on. */
export const connectionsOf = (server: Server): ReadonlySet<Socket> => {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

/** Resolves when the last of the connections is closed, with the number of those that had to be cut. */
export const stop = async (
  server: Server,
  connections: ReadonlySet<Socket>,
  { grace, deadline }: StopTimes,
): Promise<number> => {
  // the time of day may be set while this waits
  const end = performance.now() + grace
  while (performance.now() < end && connections.size > 0) await wait(interval)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const closeIdle = (): void => {
    server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  const looking = setInterval(closeIdle, interval)
  let cut = 0
  const cutting = setTimeout(() => {
    cut = connections.size
    for (const socket of connections) socket.destroy()
  }, deadline)
  closeIdle()
  await closed
  clearInterval(looking)
  clearTimeout(cutting)
  return cut
}
