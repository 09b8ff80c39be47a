/** Serves the tree in a process of its own. Its argument is settings as JSON; it tells its address, and what it logs above debug. */
import { api } from './api.mjs'

/** @type {typeof import('../../dist/src/node.js')} */
const { serve } = await import(new URL('../../dist/src/node.js', import.meta.url).href)

const drop = () => undefined
/** @type {(members: Readonly<Record<string, unknown>>, message: string) => void} */
const tell = (_, message) => process.send?.({ message })

const server = await serve(api, {
  module: new URL('api.mjs', import.meta.url).href,
  logger: { trace: drop, debug: drop, info: drop, warn: tell, error: tell },
  'fw.http.port': 0,
  'fw.shutdown.grace': 0,
  ...JSON.parse(process.argv[2] ?? '{}'),
})
process.send?.({ url: server.url })
process.on('message', () => void server.close().then(() => process.disconnect()))
