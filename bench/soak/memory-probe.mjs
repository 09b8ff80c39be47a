/**
 * Loaded into the server before itself: tells its parent what it holds, whenever a message comes.
 * Needs `--expose-gc`.
 *
 * @import { Holding } from './server.mjs'
 */
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Finalizers run between the two. */
const pauseMilliseconds = 200

/** @type {() => Promise<Holding>} */
const holding = async () => {
  globalThis.gc?.()
  await sleep(pauseMilliseconds)
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return {
    heapUsed,
    rss,
    descriptors: readdirSync('/dev/fd').length,
    resources: process.getActiveResourcesInfo().length,
  }
}

process.on('message', () => void holding().then((found) => process.send?.(found)))
// a server that has nothing else to do may end
process.channel?.unref()
