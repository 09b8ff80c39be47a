/**
 * A start that is made only to be measured.
 *
 * @import { Running } from '../support/server-process.mjs'
 * @import { Server } from '../support/servers.mjs'
 */
import { check } from './check-responses.mjs'
import { start } from '../support/server-process.mjs'
import { lastItem } from './workloads.mjs'

/**
 * Starts a server with so many item routes, measures it, and stops it. Throws when it has not that
 * many.
 *
 * @type {(server: Server, size: number, measure: (running: Running) => Promise<void>) => Promise<void>}
 */
export const launch = async (server, size, measure) => {
  const running = await start(server, size)
  try {
    await measure(running)
    const faults = await check(running.origin, [lastItem(size)])
    if (faults.length > 0)
      throw new Error(`${server.name} with ${size} endpoints\n${faults.join('\n')}`)
  } finally {
    await running.stop()
  }
}
