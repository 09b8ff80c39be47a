/**
 * Loads the certificates of a server before it starts listening, and accepts TLS connections, which it passes to the protocol that the
 * handshake has selected (ALPN). Certificates are selected by the server name (SNI), and reloaded. Imported only if certificates are
 * configured.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Server as NetServer, Socket } from 'node:net'
import type { TLSSocket, SecureContext, Server as TlsServer } from 'node:tls'
import { createServer } from 'node:tls'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { ClientCertificate } from '../../endpoint/context.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Protocols } from '../connection/connections.ts'
import { transportOf } from '../connection/connection-end.ts'
import type { ServerCore } from '../server-core.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { readCertificateFiles, unsupportedCipherSuites } from './certificate-files.ts'
import { clientCertificates } from './client-certificate.ts'
import { titles } from '../../endpoint/definition/configuration-error.ts'
import type { ServerCertificate, ServerCertificates } from './certificate-files.ts'

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

/** The certificates in use by the TLS listeners of a server. */
export class TlsCredentials {
  readonly #loaded: LoadedSettings
  readonly #servers = new Set<TlsServer>()
  #certificates: ServerCertificates
  #digest: string
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(loaded: LoadedSettings, digest: string, certificates: ServerCertificates) {
    this.#loaded = loaded
    this.#digest = digest
    this.#certificates = certificates
  }

  /** The certificate for clients that send no server name, or an unknown one. */
  get fallback(): ServerCertificate {
    return this.#certificates[0]
  }

  /**
   * Returns the context for a server name: that of the first certificate that contains the name, or otherwise of the first one with
   * a matching wildcard, or otherwise the default.
   */
  contextFor(serverName: string): SecureContext {
    const certificates = this.#certificates
    const found =
      certificates.find(({ leaf }) => contains(leaf, serverName, false)) ??
      certificates.find(({ leaf }) => contains(leaf, serverName, true)) ??
      certificates[0]
    return found.context
  }

  /** Reloads the certificates of a server periodically, until it is closed. */
  keepCurrent(server: TlsServer, logger: Logger): void {
    this.#servers.add(server)
    const period = this.#loaded.settings['fw.http.ssl.certificate.reload-period']
    if (period > 0)
      this.#timer ??= setInterval(
        () => void this.#reload(logger),
        Math.min(period, maxDelay),
      ).unref()
    server.once('close', () => {
      this.#servers.delete(server)
      if (this.#servers.size === 0) clearInterval(this.#timer)
    })
  }

  async #reload(logger: Logger): Promise<void> {
    const files = await readCertificateFiles(this.#loaded)
    if (files.digest === this.#digest) return
    this.#digest = files.digest
    const checked = files.check()
    if (E.isLeft(checked)) return logIssues(checked.left, logger)
    this.#certificates = checked.right
    for (const server of this.#servers) server.setSecureContext(this.fallback.options)
    logger.info(
      { certificates: checked.right.flatMap(({ leaf }) => leaf?.fingerprint256 ?? []) },
      'Certificates reloaded',
    )
  }
}

/** The longest delay of a timer in Node.js, in milliseconds. */
const maxDelay = 2 ** 31 - 1

const contains = (
  leaf: ServerCertificate['leaf'],
  serverName: string,
  wildcards: boolean,
): boolean => {
  try {
    return (
      leaf?.checkHost(serverName, { subject: 'never', wildcards, partialWildcards: false }) !==
      undefined
    )
  } catch {
    // the name is not a string without NUL
    return false
  }
}

const logIssues = (issues: ReadonlyArray<ConfigurationIssue>, logger: Logger): void => {
  for (const { code, concerns, remedy } of issues)
    logger.error(
      { code, concerns },
      `${titles[code]}: ${remedy}. The previous certificates stay in use.`,
    )
}
