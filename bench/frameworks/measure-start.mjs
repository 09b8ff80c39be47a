/**
 * Measures the start of a server.
 *
 * @import { Running } from '../support/server-process.mjs'
 * @import { Server } from '../support/servers.mjs'
 */
import { start } from '../support/server-process.mjs'
import { check } from './check-responses.mjs'
import { lastItem } from './workloads.mjs'

/**
 * Starts a server with `size` item routes, calls `measure` and stops the server. Throws if a route is missing.
 *
 * @type {(server: Server, size: number, measure: (running: Running) => Promise<void>) => Promise<void>}
 */
export const measureStart = async (server, size, measure) => {
  const running = await start(server, size)
  try {
    await measure(running)
    const problems = await check(running.origin, [lastItem(size)])
    if (problems.length > 0)
      throw new Error(`${server.name} with ${size} endpoints\n${problems.join('\n')}`)
  } finally {
    await running.stop()
  }
}
