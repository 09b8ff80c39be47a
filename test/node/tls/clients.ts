/** TLS clients for tests. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { connect } from 'node:tls'
import type { Server } from '../../../src/node.ts'
import type { CertificatePaths } from '../../support/certificates.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectionOver } from '../../support/raw-connection.ts'

/** A connection after the handshake. */
export interface TlsConnection extends RawConnection {
  readonly socket: TLSSocket
}

/** Connects to the TLS port of a server. Rejects if the handshake fails. The server name defaults to `localhost`. */
export const connectTls = async (
  { urls }: Pick<Server, 'urls'>,
  authority: CertificatePaths,
  options: ConnectionOptions = {},
): Promise<TlsConnection> => {
  const { port } = new URL(urls.find((url) => url.startsWith('https:')) ?? '')
  const socket = connect({
    host: '127.0.0.1',
    port: Number(port),
    servername: 'localhost',
    ca: readFileSync(authority.certificate),
    ...options,
  })
  const connection = connectionOver(socket)
  await once(socket, 'secureConnect')
  return { ...connection, socket }
}

/** Options with the certificate of a client. */
export const withCertificate = ({ certificate, key }: CertificatePaths): ConnectionOptions => ({
  cert: readFileSync(certificate),
  key: readFileSync(key),
})

/** Settings for a certificate. All ports are free loopback ports. */
export const tlsOptions = (
  ...certificates: ReadonlyArray<CertificatePaths>
): {
  readonly 'fw.http.ssl-port': number
  readonly 'fw.http.http2': boolean
  readonly 'fw.http.ssl.certificate.files': ReadonlyArray<string>
  readonly 'fw.http.ssl.certificate.key-files': ReadonlyArray<string>
} => ({
  'fw.http.ssl-port': 0,
  // tests of HTTP/2 turn it on
  'fw.http.http2': false,
  'fw.http.ssl.certificate.files': certificates.map(({ certificate }) => certificate),
  'fw.http.ssl.certificate.key-files': certificates.map(({ key }) => key),
})

/** Returns the error of a handshake, or an empty string if it succeeds. */
export const handshakeError = async (
  ...parameters: Parameters<typeof connectTls>
): Promise<string> => {
  try {
    const connection = await connectTls(...parameters)
    connection.destroy()
    return ''
  } catch (error) {
    return String(error)
  }
}

/** Offers one version to a server with `openssl s_client`, such as `-tls1_1`. Resolves to the output and the exit code. */
export const handshake = ({ urls: [url = ''] }: Pick<Server, 'urls'>, version: string) =>
  new Promise<{ readonly output: string; readonly code: unknown }>((resolve) => {
    const address = `127.0.0.1:${new URL(url).port}`
    const words = ['s_client', '-connect', address, version, '-cipher', 'ALL:@SECLEVEL=0']
    const child = execFile('openssl', words, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error?.code ?? 0 }),
    )
    child.stdin?.end()
  })
