/** Opens the listeners of a server, which accept connections and pass them to a protocol. */
import type { Server as NetServer } from 'node:net'
import { createServer } from 'node:net'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Protocol } from './connections.ts'
import type { ServerCore } from './server-core.ts'

/** The address of a listener. Without a host, Node.js listens on all IPv4 and IPv6 addresses. */
export interface ListenAddress {
  readonly port: number
  readonly host?: string
}

/** A listener to open: its address, and the protocol that serves its connections. */
export interface ListenerPlan {
  readonly address: ListenAddress
  readonly protocol: Protocol
}

/** The open listeners of a server. */
export interface Listeners {
  readonly servers: ReadonlyArray<NetServer>
  readonly protocols: ReadonlyArray<Protocol>
  readonly core: ServerCore
}

/** The error with which `serve` rejects if the server cannot start listening. */
export class ListenError extends Error {
  /** The system error code, such as `EADDRINUSE`, or an empty string if the error has no code. */
  readonly code: string
  readonly host: string
  readonly port: number
  constructor(host: string, port: number, cause: Error & { readonly code?: string | undefined }) {
    super(`cannot listen on ${host}:${port}: ${cause.code ?? cause.message}`, { cause })
    this.name = 'ListenError'
    this.code = cause.code ?? ''
    this.host = host
    this.port = port
  }
}

/**
 * Opens all listeners, and starts the timers of the server. Rejects with a {@link ListenError} if one of them cannot be opened. The
 * others are then closed.
 */
export const openListeners = async (
  core: ServerCore,
  plans: ReadonlyArray<ListenerPlan>,
  logger: Logger,
): Promise<Listeners> => {
  const servers = plans.map((plan) => createListener(core, plan))
  const protocols = [...new Set(plans.map(({ protocol }) => protocol))]
  try {
    for (const [index, { address }] of plans.entries()) await listen(servers[index], address)
  } catch (error) {
    for (const server of servers) server.close()
    for (const connection of core.connections) connection.transport.destroy()
    for (const protocol of protocols) protocol.end()
    throw error
  }
  for (const server of servers)
    server.on('error', (error) => logger.error({ err: error }, 'Server error'))
  const intervals = protocols.flatMap(({ check }) => check?.interval ?? [])
  core.start(servers.flatMap(portOf), intervals.length === 0 ? undefined : Math.min(...intervals))
  return { servers, protocols, core }
}

/** Creates the server of a listener. The protocol sets the options of `node:http` that concern connections. */
const createListener = (core: ServerCore, { protocol }: ListenerPlan): NetServer => {
  const server = createServer({ allowHalfOpen: true, noDelay: true })
  core.connections.observe(server, (connection) => {
    core.onConnection()
    connection.serve(protocol)
  })
  return server
}

/** Starts listening. Resolves once the server is listening. */
const listen = (server: NetServer | undefined, address: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    const { host = '0.0.0.0', port } = address
    const fail = (error: Error): void => reject(new ListenError(host, port, error))
    server?.once('error', fail)
    server?.listen(address, () => {
      server.off('error', fail)
      resolve()
    })
  })

/** Returns the TCP port of a listening server, or nothing if it has no port. */
const portOf = (server: NetServer): ReadonlyArray<number> => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? [address.port] : []
}
