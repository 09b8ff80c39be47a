/** Opens the listeners of a server, which accept connections and pass them to a protocol. */
import { lstat, unlink } from 'node:fs/promises'
import type { Server as NetServer } from 'node:net'
import { connect, createServer } from 'node:net'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Connection, Protocol } from '../connection/connections.ts'
import type { ListenAddress } from './listen-error.ts'
import { anyHost, ListenError } from './listen-error.ts'
import type { ServerCore } from '../server-core.ts'
import { codeOf, isObject, toError } from '../../http/platform-value.ts'

/** A listener: a server that is listening or will be, its address, and the protocols that serve its connections. */
export interface Listener {
  readonly server: NetServer
  readonly address: ListenAddress
  readonly protocols: ReadonlyArray<Protocol>
  readonly scheme: 'http' | 'https'
}

/** The open listeners of a server. */
export interface Listeners {
  readonly listeners: ReadonlyArray<Listener>
  readonly protocols: ReadonlyArray<Protocol>
  readonly core: ServerCore
}

/**
 * Opens all listeners, and starts the timers of the server. Rejects with a {@link ListenError} if one of them cannot be opened. The
 * others are then closed.
 */
export const openListeners = async (
  core: ServerCore,
  listeners: ReadonlyArray<Listener>,
  logger: Logger,
): Promise<Listeners> => {
  const protocols = [...new Set(listeners.flatMap(({ protocols: all }) => all))]
  try {
    for (const { server, address } of listeners) await listen(server, address)
  } catch (error) {
    for (const { server } of listeners) server.close()
    for (const { transport } of core.connections) transport.destroy()
    for (const protocol of protocols) protocol.end()
    throw error
  }
  for (const { server } of listeners)
    server.on('error', (error) => logger.error({ err: error }, 'Server error'))
  const intervals = protocols.flatMap(({ check }) => check?.interval ?? [])
  core.start(
    listeners.flatMap(({ server }) => portOf(server) ?? []),
    intervals.length === 0 ? undefined : Math.min(...intervals),
  )
  return { listeners, protocols, core }
}

/**
 * Creates a server that accepts connections without TLS, and passes them to `serve`. Its options are those that `node:http` sets.
 */
export const createClearServer = (
  core: ServerCore,
  serve: (connection: Connection) => void,
): NetServer => {
  const server = createServer({ allowHalfOpen: true, noDelay: true })
  core.connections.observe(server, (connection) => {
    core.onConnection()
    serve(connection)
  })
  return server
}

const listen = async (server: NetServer, address: ListenAddress): Promise<void> => {
  try {
    if ('path' in address) await listenOnSocket(server, address.path)
    else await listenOnce(server, address)
  } catch (error) {
    throw new ListenError(address, toError(error))
  }
}

/** Maximum length of a path, in bytes. Node.js 20 truncates longer paths. The length is limited by the operating system. */
const maxPathLength = process.platform === 'linux' ? 107 : process.platform === 'win32' ? 256 : 103

/**
 * Starts listening on a Unix domain socket. If the path is in use by a socket on which no process is listening, the file is
 * replaced. Rejects with the error `EADDRINUSE` otherwise.
 */
const listenOnSocket = async (server: NetServer, path: string): Promise<void> => {
  if (Buffer.byteLength(path) > maxPathLength)
    throw Object.assign(new Error(`the path is longer than ${maxPathLength} bytes`), {
      code: 'ENAMETOOLONG',
    })
  // before the first attempt, because after a failed one, `node:cluster` would not share the socket with other instances
  if (await isStale(path)) await unlink(path)
  await listenOnce(server, { path })
}

/** Starts listening. Resolves once the server is listening, or rejects with the error emitted by the server. */
const listenOnce = (
  server: NetServer,
  address:
    | { readonly path: string }
    | { readonly port: number; readonly host?: string }
    | { readonly fd: number },
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** Whether a path is a socket to which no connection can be made because no process is listening. */
const isStale = async (path: string): Promise<boolean> => {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isSocket() !== true) return false
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED'))
  })
}

/** Returns the TCP port of a listening server, or `undefined` if it has no port. */
export const portOf = (server: NetServer): number | undefined => {
  const address = server.address()
  return isObject(address) ? address.port : undefined
}

/** Returns the URL of a listener, or `unix:` followed by a path. `host` is used if the listener has been inherited. */
export const urlOf = ({ server, address, scheme }: Listener, host: string): string => {
  const local = server.address()
  if (typeof local === 'string') return `unix:${local}`
  const name = 'port' in address ? (address.host ?? host) : local === null ? host : local.address
  const isAny = name === anyHost || name === '::'
  const authority = isAny ? 'localhost' : name.includes(':') ? `[${name}]` : name
  return `${scheme}://${authority}:${local?.port ?? ''}`
}
