/**
 * Creates the body memory of a server. The body memory tracks how many body bytes are held in memory, and enforces
 * `fw.http.limits.max-buffered-size`.
 */
import { getHeapStatistics } from 'node:v8'
import { BodyMemory } from '../interpreter/memory-reservation.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { Percentage } from '../compiler/settings/setting.ts'

/**
 * Time, in milliseconds, that must pass without a rejection before another rejection is logged. This interval prevents clients from
 * flooding the log.
 */
const logInterval = 60_000

/**
 * Converts the value of `fw.http.limits.max-buffered-size` to bytes. A percentage is relative to the V8 heap limit. That limit can
 * be set with `--max-old-space-size`. Returns `Infinity` if no limit is configured.
 */
export const resolveBufferedSize = (
  size: number | Percentage | undefined,
  heapLimit: () => number = () => getHeapStatistics().heap_size_limit,
): number =>
  typeof size === 'object' ? Math.floor((heapLimit() * size.percent) / 100) : (size ?? Infinity)

/** Creates the body memory of a server. A warning is logged when the server starts rejecting bodies. */
export const createBodyMemory = (
  settings: Settings,
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): BodyMemory => {
  let latestRejection = -Infinity
  const memory: BodyMemory = new BodyMemory(
    resolveBufferedSize(settings['fw.http.limits.max-buffered-size']),
    () => {
      const time = now()
      if (time - latestRejection > logInterval)
        logger.warn(
          { buffered: memory.used, limit: memory.limit },
          'Total size limit for buffered bodies reached, rejecting requests that need more memory',
        )
      latestRejection = time
    },
  )
  return memory
}
