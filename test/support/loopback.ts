/** Servers for tests: on a port of their own that only this machine reaches, without a log, and without a grace when they stop. */
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import type { Routes } from '../../src/index.ts'

export const onLoopback = <T, E>(
  api: Routes<T, {}, E>,
  options: ServeOptions = {},
): Promise<Server> =>
  serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    // the machine that runs the tests may be busy with others
    'fw.http.overload.enabled': false,
    ...options,
  })
