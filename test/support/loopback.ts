/** Starts servers on a free loopback port, without a log, without a grace period and without load shedding. */
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import type { Routes } from '../../src/index.ts'

export const serveLocally = <T, E>(
  api: Routes<T, {}, E>,
  options: ServeOptions = {},
): Promise<Server> =>
  serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    // other processes may delay the event loop
    'fw.http.overload.enabled': false,
    ...options,
  })
