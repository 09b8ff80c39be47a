/**
 * The server of the idle connections: `raw` is handwritten `node:http` with the same keep-alive timeout, `node` and `direct` are espalier
 * with this value of `fw.http.connection`. Prints its port. `../soak/memory-probe.mjs` reports its memory.
 */
import { createServer } from 'node:http'
import { pipe } from 'fp-ts/lib/function.js'

const [, , kind = ''] = process.argv
const keepAliveMilliseconds = 72_000

if (kind === 'raw') {
  const server = createServer({ keepAliveTimeout: keepAliveMilliseconds }, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5 })
    response.end('Hello')
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') console.log(String(address.port))
  })
} else if (kind === 'node' || kind === 'direct') {
  const { get, handle, path, produces, routes, text } = await import('../../dist/src/index.js')
  const { serve } = await import('../../dist/src/node.js')
  const api = routes({
    hello: pipe(
      path('/'),
      get(),
      produces(text),
      handle(() => 'Hello'),
    ),
  })
  const server = await serve(api, {
    'fw.http.connection': kind,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.http.keep-alive-timeout': keepAliveMilliseconds,
    // other processes may delay the event loop
    'fw.http.overload.enabled': false,
  })
  console.log(new URL(server.url).port)
} else throw new Error(`unknown kind: ${kind}`)
