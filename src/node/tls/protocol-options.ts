/** Converts the settings for TLS versions and cipher suites to options of Node.js. */
import { constants } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'
import { getCiphers } from 'node:tls'
import type { Settings } from '../../compiler/settings/settings.ts'

/**
 * Returns the options for TLS versions and cipher suites.
 *
 * Clients cannot renegotiate TLS 1.2 connections, because each renegotiation costs the server more CPU time than the client. The
 * session ID context is the same in all contexts. Without it, OpenSSL aborts connections that resume a session with a client
 * certificate.
 */
export const protocolOptions = (settings: Settings): SecureContextOptions => {
  const protocols = settings['fw.http.ssl.protocols']
  return {
    minVersion: protocols.includes('TLSv1.2') ? 'TLSv1.2' : 'TLSv1.3',
    maxVersion: protocols.includes('TLSv1.3') ? 'TLSv1.3' : 'TLSv1.2',
    ciphers: settings['fw.http.ssl.cipher-suites'].map(openSslName).join(':'),
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    sessionIdContext: 'espalier',
  }
}

/** Returns the configured cipher suites that OpenSSL does not support. */
export const unsupportedCipherSuites = (settings: Settings): ReadonlyArray<string> => {
  const supported = new Set(getCiphers())
  return settings['fw.http.ssl.cipher-suites'].filter(
    (name) => !supported.has(openSslName(name).toLowerCase()),
  )
}

/**
 * Returns the OpenSSL name of a cipher suite. Names of TLS 1.3 suites are the same in OpenSSL and IANA. For TLS 1.2,
 * `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is `ECDHE-RSA-AES128-GCM-SHA256`.
 */
const openSslName = (name: string): string =>
  /^TLS_.+_WITH_/.test(name)
    ? name
        .slice('TLS_'.length)
        .replace('_WITH_', '_')
        .replace('CHACHA20_POLY1305_SHA256', 'CHACHA20_POLY1305')
        .replace(/AES_(\d+)/, 'AES$1')
        .replaceAll('_', '-')
    : name
