/**
 * A server for floods over HTTP/2. It sends its URL, and then its memory in bytes whenever it receives a message. Garbage is collected
 * before, if the process has the option `--expose-gc`.
 */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import { get, handle, path, produces, routes, text } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'

const api = routes({
  hello: pipe(
    path('/hello'),
    get(),
    produces(text),
    handle(() => 'Hello'),
  ),
  slow: pipe(
    path('/slow'),
    get(),
    produces(text),
    handle(async (_, { request: { signal } }) => {
      await wait(1000, undefined, { signal })
      return 'slow'
    }),
  ),
})

const server = await serve(api, {
  logger: silentLogger,
  'fw.http.host': '127.0.0.1',
  'fw.http.port': 0,
  'fw.http.http2-clear-text': true,
  'fw.http.overload.enabled': false,
})
process.send?.(server.url)
process.on('message', () => {
  globalThis.gc?.()
  process.send?.(process.memoryUsage().rss)
})
process.on('disconnect', () => process.exit())
