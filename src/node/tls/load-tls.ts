/** Loads the certificates of a server before it starts listening. Imported only if certificates are configured. */
import type { Server as NetServer, Socket } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { ClientCertificate } from '../../endpoint/context.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Protocols } from '../connection/connections.ts'
import type { ServerCore } from '../server-core.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { readCertificateFiles } from './certificate-files.ts'
import { clientCertificates } from './client-certificate.ts'
import { unsupportedCipherSuites } from './protocol-options.ts'
import { TlsCredentials } from './tls-credentials.ts'
import { createTlsServer } from './tls-server.ts'

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
