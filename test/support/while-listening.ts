/** Servers of the platform, for as long as something is done: on a port that only this machine reaches. */
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'

export interface Address {
  readonly port: number
  /** By `http`, without a path. */
  readonly url: string
  /** How often somebody connected. */
  readonly made: () => number
  /** Connections that are open. */
  readonly open: () => number
}

/** Ends all connections behind it. A path of the file system is listened to instead of a port. */
export const whileListening = async <A>(
  server: Server,
  use: (address: Address) => Promise<A>,
  path?: string,
): Promise<A> => {
  let made = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    made++
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
      made: () => made,
      open: () => sockets.size,
    })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
}

export const whileAnswering = <A>(
  listener: RequestListener,
  use: (address: Address) => Promise<A>,
): Promise<A> => whileListening(createServer(listener), use)

/** Where nobody listens any more. */
export const abandoned = (): Promise<string> =>
  whileListening(createTcpServer(), async ({ url }) => url)
