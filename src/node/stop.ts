/**
 * Stops a server without losing a request: first answers carry `Connection: close`, so that clients with open connections
 * turn away; then no connection is accepted any more and idle ones are closed; what is still busy at the deadline is cut.
 *
 * Why not `server.close()` alone: it waits for busy keep-alive connections for ever, closes idle ones under the hands of
 * clients that are about to send, and stops enforcing the timeouts of requests that are half sent.
 */
import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

export interface StopTimes {
  /** Milliseconds in which requests on open connections are still answered. */
  readonly grace: number
  /** Milliseconds, from the end of the grace, after which connections are cut. */
  readonly deadline: number
}

/** Milliseconds between looks at what is idle. */
const interval = 50

/** Resolves when the last connection is closed. */
export const stop = async (server: Server, { grace, deadline }: StopTimes): Promise<void> => {
  const end = Date.now() + grace
  while (Date.now() < end && (await connections(server)) > 0) await wait(interval)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const looking = setInterval(() => server.closeIdleConnections(), interval)
  const cutting = setTimeout(() => server.closeAllConnections(), deadline)
  server.closeIdleConnections()
  await closed
  clearInterval(looking)
  clearTimeout(cutting)
}

const connections = (server: Server): Promise<number> =>
  new Promise((resolve) =>
    server.getConnections((error, count) => resolve(error === null ? count : 0)),
  )
