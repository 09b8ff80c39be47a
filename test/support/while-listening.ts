/** Runs Node.js servers on the loopback interface for the duration of a callback. */
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'

export interface Address {
  readonly port: number
  /** The `http` URL, without a path. */
  readonly url: string
  /** Number of accepted connections. */
  readonly connectionCount: () => number
  /** Number of open connections. */
  readonly openConnections: () => number
}

/**
 * Starts a server, calls `use` with its address, and then closes the server and its connections. With `path`, the server
 * listens on a Unix domain socket.
 */
export const withServer = async <A>(
  server: Server,
  use: (address: Address) => Promise<A>,
  path?: string,
): Promise<A> => {
  let accepted = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.listen(path ?? { port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const address = server.address() as AddressInfo | string
  const port = typeof address === 'string' ? 0 : address.port
  try {
    return await use({
      port,
      url: `http://127.0.0.1:${port}`,
      connectionCount: () => accepted,
      openConnections: () => sockets.size,
    })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
}

export const withHttpServer = <A>(
  listener: RequestListener,
  use: (address: Address) => Promise<A>,
): Promise<A> => withServer(createServer(listener), use)

/** Returns the URL of a port on which no server listens. */
export const unusedUrl = (): Promise<string> =>
  withServer(createTcpServer(), async ({ url }) => url)
