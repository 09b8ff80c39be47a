/** Starts the lending library, and prints its URL and routes. The server shuts down on signals such as SIGTERM. */
import { ConfigurationError, serve } from 'espalier/node'
import { api } from './api.ts'

try {
  const server = await serve(api, { module: new URL('./api.js', import.meta.url).href })
  console.log(
    `The lending library is listening on ${server.url}\n\n${server.routes}\n\ntry: curl -i ${server.url}/books, or follow the links from ${server.url}/`,
  )
} catch (error) {
  console.error(error instanceof ConfigurationError ? error.message : error)
  process.exitCode = 1
}
