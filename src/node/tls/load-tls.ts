/**
 * Loads the certificates of a server before it starts listening, and accepts TLS connections, which it passes to the protocol that the
 * handshake has selected (ALPN). Imported only if certificates are configured.
 */
import type { Server as NetServer, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createServer } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { ClientCertificate } from '../../endpoint/context.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Protocols } from '../connection/connections.ts'
import { transportOf } from '../connection/lingering-close.ts'
import type { ServerCore } from '../server-core.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { readCertificateFiles } from './certificate-files.ts'
import { clientCertificates } from './client-certificate.ts'
import { unsupportedCipherSuites } from './protocol-options.ts'
import { TlsCredentials } from './tls-credentials.ts'

/** TLS with the configured certificates. */
export interface Tls {
  /** Creates a server that accepts TLS connections. */
  readonly createServer: (core: ServerCore, protocols: Protocols, logger: Logger) => NetServer
  /** Returns the certificate of the client on a connection. `undefined` if the server requests no certificates. */
  readonly clientCertificate: ((socket: Socket) => ClientCertificate | undefined) | undefined
}

/** Reads and checks the configured certificates. */
export const loadTls = async (
  loaded: LoadedSettings,
): Promise<E.Either<ReadonlyArray<ConfigurationIssue>, Tls>> => {
  const { settings, origin } = loaded
  const name = 'fw.http.ssl.cipher-suites'
  const unsupported = unsupportedCipherSuites(settings)
  if (unsupported.length > 0)
    return E.left([
      {
        code: 'FW-CONF-002',
        concerns: [`${name} (from ${origin(name)}): ${unsupported.join(', ')}`],
        remedy: 'use the names that tls.getCiphers() returns, or their IANA names',
      },
    ])
  const files = await readCertificateFiles(loaded)
  const checked = files.check()
  if (E.isLeft(checked)) return checked
  const credentials = new TlsCredentials(loaded, files.digest, checked.right)
  return E.right({
    createServer: (core, protocols, logger) =>
      createTlsServer(core, protocols, credentials, logger),
    clientCertificate:
      settings['fw.http.ssl.client-auth'] === 'none' ? undefined : clientCertificates(),
  })
}

/**
 * Creates a server that accepts TLS connections. A handshake must complete within `fw.http.header-timeout`.
 *
 * A failed handshake is logged with the level `debug`, because clients cause it: they disconnect, do not trust the certificate, or
 * support no common version.
 */
const createTlsServer = (
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
