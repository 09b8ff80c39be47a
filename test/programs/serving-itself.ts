/** A program in a single module: it starts the server, and its workers import the same module. */
import { isMainThread } from 'node:worker_threads'
import { pipe } from 'fp-ts/lib/function.js'
import { blocking, get, handle, path, produces, routes, text } from '../../src/index.ts'
import { serve } from '../../src/node.ts'

const where = pipe(
  path('/where'),
  get(),
  produces(text),
  handle(() => (isMainThread ? 'loop' : 'worker')),
  blocking,
)
export const api = routes({ where })

const server = await serve(api, {
  module: import.meta.url,
  'fw.http.port': 0,
  'fw.shutdown.grace': 0,
  // its output is compared, and a loaded machine can cause warnings and rejected requests
  'fw.log.level': 'error',
  'fw.http.overload.enabled': false,
})
if (isMainThread) console.log(await (await fetch(`${server.url}/where`)).text())
await server.close()
if (isMainThread) console.log('closed')
