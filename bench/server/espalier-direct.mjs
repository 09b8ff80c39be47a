/** espalier with its own server, and connections that it reads and writes without `node:http`. */
import { api, published } from './espalier-api.mjs'
import { announce, host, port } from './listen.mjs'

/** @type {typeof import('../../dist/src/node.js')} */
const { serve } = await import(published('node'))

const server = await serve(api, {
  'fw.http.connection': 'direct',
  'fw.http.host': host,
  'fw.http.port': port,
})
announce(new URL(server.url).port)
