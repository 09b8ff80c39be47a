/**
 * A server with direct connections. It sends its URL, and then its memory in bytes whenever it receives a message.
 */
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, path, produces, routes, text } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'

const api = routes({
  small: pipe(
    path('/small'),
    get(),
    produces(text),
    handle(() => 'small'),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => 'x'.repeat(100_000)),
  ),
})

const server = await serve(api, {
  logger: silentLogger,
  'fw.http.host': '127.0.0.1',
  'fw.http.port': 0,
  'fw.http.connection': 'direct',
  'fw.http.overload.enabled': false,
})
process.send?.(server.url)
process.on('message', () => {
  globalThis.gc?.()
  process.send?.(process.memoryUsage().rss)
})
process.on('disconnect', () => process.exit())
