/** Starts the server of a framework on a free loopback port. */
import { once } from 'node:events'

/**
 * Returns the URL of a server, and a function that closes it together with its connections.
 *
 * @type {(server: import('node:http').Server) => Promise<{ url: string, close: () => Promise<void> }>}
 */
export const listen = async (server) => {
  if (!server.listening) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
