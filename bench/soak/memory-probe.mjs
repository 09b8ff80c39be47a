/**
 * Preloaded into the server: sends the resource usage to the parent process on each message. Requires `--expose-gc`.
 *
 * @import { ResourceUsage } from './server.mjs'
 */
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Time for finalizers to run between two garbage collections. */
const pauseMilliseconds = 200

/** @type {() => Promise<ResourceUsage>} */
const usage = async () => {
  globalThis.gc?.()
  await sleep(pauseMilliseconds)
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return {
    heapUsed,
    external,
    rss,
    descriptors: readdirSync('/dev/fd').length,
    resources: process.getActiveResourcesInfo().length,
  }
}

process.on('message', () => void usage().then((current) => process.send?.(current)))
// the IPC channel must not keep the server alive
process.channel?.unref()
