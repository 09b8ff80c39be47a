/** Accepts TLS connections, and passes them to the protocol that the handshake has selected (ALPN). */
import type { Server as NetServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createServer } from 'node:tls'
import type { Logger } from '../../compiler/settings/logger.ts'
import { transportOf } from '../connection/lingering-close.ts'
import type { Protocols } from '../connection/connections.ts'
import type { ServerCore } from '../server-core.ts'
import type { TlsCredentials } from './tls-credentials.ts'

/**
 * Creates a server that accepts TLS connections. A handshake must complete within `fw.http.header-timeout`.
 *
 * A failed handshake is logged with the level `debug`, because clients cause it: they disconnect, do not trust the certificate, or
 * support no common version.
 */
export const createTlsServer = (
  core: ServerCore,
  { http1, http2 }: Protocols,
  credentials: TlsCredentials,
  logger: Logger,
): NetServer => {
  const clientAuth = core.settings['fw.http.ssl.client-auth']
  const server = createServer({
    ...credentials.fallback.options,
    SNICallback: (serverName, callback) => callback(null, credentials.contextFor(serverName)),
    ALPNProtocols: http2 === undefined ? ['http/1.1'] : ['h2', 'http/1.1'],
    requestCert: clientAuth !== 'none',
    rejectUnauthorized: clientAuth === 'required',
    handshakeTimeout: core.settings['fw.http.header-timeout'],
    noDelay: true,
  })
  core.connections.observe(server, ({ transport }) => {
    core.onConnection()
    // until the handshake, Node.js reports errors of the transport also with `tlsClientError`
    transport.on('error', () => transport.destroy())
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    // not before: during a handshake, Node.js would ignore the end of a half-open connection
    socket.allowHalfOpen = true
    const connection = core.connections.get(transportOf(socket))
    if (connection === undefined) socket.destroy()
    else connection.serve(socket.alpnProtocol === 'h2' && http2 ? http2 : http1, socket)
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const { code, message } = error
    logger.debug({ code, address: socket.remoteAddress }, `TLS handshake failed: ${message}`)
    socket.destroy()
    transportOf(socket).destroy()
  })
  credentials.keepCurrent(server, logger)
  return server
}
