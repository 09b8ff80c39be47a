/** Starts the lending library, prints where it is and what it serves, and stops it when it is asked to. */
import { MistakesError, serve } from 'espalier/node'
import { library } from './api.ts'

try {
  const server = await serve(library())
  console.log(
    `espalier's lending library is at ${server.url}\n\n${server.routes}\n\ntry: curl -i ${server.url}/books`,
  )
  const stop = (): void => {
    void server.close().then(() => process.exit(0))
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
} catch (error) {
  console.error(error instanceof MistakesError ? error.message : error)
  process.exitCode = 1
}
