/** espalier mounted into a plain `node:http` server with `nodeListener`. */
import { createServer } from 'node:http'
import { api, published } from './espalier-api.mjs'
import { announce, host, port } from './listen.mjs'

/** @type {typeof import('../../dist/src/node.js')} */
const { nodeListener } = await import(published('node'))

// reads environment variables, as `serve` does
const listener = nodeListener(api, { directory: '.' })
await listener.ready
const server = createServer((request, response) => listener(request, response))
server.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
