/** Creates the body memory of a server, limited by `fw.http.limits.max-buffered-size`. */
import { getHeapStatistics } from 'node:v8'
import { BodyMemory } from '../interpreter/request-body/body-memory.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { Percentage } from '../compiler/settings/percentage.ts'

/** Milliseconds without a rejection after which the next one is logged again, so that clients cannot fill the log. */
const logInterval = 60_000

/** Resolves the setting to bytes. A percentage refers to the heap limit, as `--max-old-space-size` sets it. */
export const resolveBufferedSize = (
  size: number | Percentage | undefined,
  heapLimit: () => number = () => getHeapStatistics().heap_size_limit,
): number =>
  typeof size === 'object' ? Math.floor((heapLimit() * size.percent) / 100) : (size ?? Infinity)

/** Creates the body memory, which logs a warning when it begins to reject bodies. */
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
          'Too many bytes of bodies in memory, rejecting new bodies',
        )
      latestRejection = time
    },
  )
  return memory
}
