/**
 * A program that serves `GET /alive` with the settings in its environment, for tests of listeners. It writes the URLs of its server to
 * standard output as a line of JSON, or the error on which it exits.
 */
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, path, produces, routes, text } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'

const alive = pipe(
  path('/alive'),
  get(),
  produces(text),
  handle((_, { uri, request }) => `${uri.request.protocol} ${request.clientAddress}`),
)

try {
  const { urls, settings } = await serve(routes({ alive }), { logger: silentLogger })
  const port = settings.split('\n').find((line) => line.startsWith('fw.http.port '))
  process.stdout.write(
    `${JSON.stringify({ urls, port, pid: process.pid, environment: process.env['LISTEN_FDS'] })}\n`,
  )
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`)
}
