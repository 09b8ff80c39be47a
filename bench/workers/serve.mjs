/** Serves the routes in a child process. The argument contains settings as JSON. Sends the URL and log messages of level `warn` and above to the parent. */
import { api } from './api.mjs'

/** @type {typeof import('../../dist/src/node.js')} */
const { serve } = await import(new URL('../../dist/src/node.js', import.meta.url).href)

const ignore = () => undefined
/** @type {(members: Readonly<Record<string, unknown>>, message: string) => void} */
const forward = (_, message) => process.send?.({ message })

const server = await serve(api, {
  module: new URL('api.mjs', import.meta.url).href,
  logger: { trace: ignore, debug: ignore, info: ignore, warn: forward, error: forward },
  'fw.http.port': 0,
  'fw.shutdown.grace': 0,
  ...JSON.parse(process.argv[2] ?? '{}'),
})
process.send?.({ url: server.url })
process.on('message', () => void server.close().then(() => process.disconnect()))
