/** espalier as a fetch handler on `@hono/node-server`, the adapter of Hono. */
import { serve } from '@hono/node-server'
import { api, published } from './espalier-api.mjs'
import { announce, host, port } from './listen.mjs'

/** @type {typeof import('../../dist/src/fetch.js')} */
const { toFetchHandler } = await import(published('fetch'))

const handler = toFetchHandler(api)
serve({ fetch: (request) => handler(request), port, hostname: host }, (address) =>
  announce(address.port),
)
