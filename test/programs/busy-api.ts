/** A server with the default load shedding and an operation that uses CPU time. Sends its URL to its parent process. */
import { pipe } from 'fp-ts/lib/function.js'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { get, handle, int, path, produces, routes, text } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { cpuTime } from '../support/cpu-time.ts'

const api = routes({
  compute: pipe(
    path('/compute/{ms}', { ms: int }),
    get(),
    produces(text),
    handle(({ path: { ms } }) => {
      const end = cpuTime() + ms
      while (cpuTime() < end);
      return 'computed'
    }),
  ),
})

const server = await serve(api, {
  logger: silentLogger,
  'fw.http.host': '127.0.0.1',
  'fw.http.port': 0,
  'fw.http.connection': process.argv[2] === 'direct' ? 'direct' : 'node',
})
process.send?.(server.url)
