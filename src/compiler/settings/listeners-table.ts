/** Defines the settings for TLS and for listeners other than the clear-text port. They are part of the table in `settings-table.ts`. */
import { durationMillis } from '../../codec/duration-millis.ts'
import {
  booleanSetting,
  oneOf,
  orAuto,
  orUnset,
  filePath,
  secretText,
  setting,
  wholeNumber,
} from './setting.ts'
import { commaList, sizeBetween } from './setting-codecs.ts'

const protocols = ['TLSv1.3', 'TLSv1.2'] as const

const isProtocol = (word: unknown): word is (typeof protocols)[number] =>
  protocols.some((protocol) => protocol === word)

const isCipherSuite = (word: unknown): word is string =>
  typeof word === 'string' && /^[A-Za-z0-9_-]+$/.test(word)

const isPath = (word: unknown): word is string => filePath.is(word)

const pemFiles = commaList('comma-separated paths of PEM files', isPath)

/** Suites with forward secrecy and authenticated encryption. */
const cipherSuites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
]

/** Settings for TLS. TLS is enabled if a certificate is configured. */
export const tlsSettings = {
  'fw.http.ssl-port': setting(
    wholeNumber(0, 65_535),
    8443,
    'Port to listen on with TLS. `0` selects any free port. Used only if certificates are configured.',
  ),
  'fw.http.insecure-requests': setting(
    oneOf('enabled', 'redirect', 'disabled'),
    'enabled',
    'Handling of requests on `fw.http.port` if certificates are configured. `enabled` serves them. `redirect` responds with 308 and the `https` URL, which starts with `fw.http.public-url`, or otherwise with the host of the request and `fw.http.ssl-port`. `disabled` does not open the port. The default is `disabled` if `fw.http.ssl.client-auth` is `required`.',
  ),
  'fw.http.ssl.certificate.files': setting(
    pemFiles,
    [],
    'Comma-separated PEM files with the certificates of the server, each followed by its intermediate certificates. TLS is enabled if this setting or `fw.http.ssl.certificate.key-store-file` is set. If there is more than one certificate, the host name sent by the client (SNI) selects one of them by its subject alternative names. The first is the default.',
  ),
  'fw.http.ssl.certificate.key-files': setting(
    pemFiles,
    [],
    'Comma-separated PEM files with the private keys of the certificates, in the same order. The keys must not be encrypted.',
  ),
  'fw.http.ssl.certificate.key-store-file': setting(
    orUnset(filePath),
    undefined,
    'PKCS#12 file with a certificate, its intermediate certificates and its private key. Cannot be combined with `fw.http.ssl.certificate.files`.',
  ),
  'fw.http.ssl.certificate.key-store-password': setting(
    orUnset(secretText),
    undefined,
    'Password of the file in `fw.http.ssl.certificate.key-store-file`.',
  ),
  'fw.http.ssl.certificate.trust-store-files': setting(
    pemFiles,
    [],
    'Comma-separated PEM files with the certificate authorities that issue client certificates. Required if `fw.http.ssl.client-auth` is not `none`.',
  ),
  'fw.http.ssl.certificate.reload-period': setting(
    durationMillis,
    3_600_000,
    'Period after which the certificate, key and trust files are read again. If their content has changed, new connections use it. Open connections are not affected. If a file is invalid, an error is logged, and the previous certificates stay in use. `0` disables reloading.',
  ),
  'fw.http.ssl.protocols': setting(
    commaList('comma-separated versions: TLSv1.3, TLSv1.2 or both', isProtocol),
    protocols,
    'Comma-separated TLS versions. `TLSv1.3` and `TLSv1.2` are supported.',
  ),
  'fw.http.ssl.cipher-suites': setting(
    commaList('comma-separated names of cipher suites', isCipherSuite),
    cipherSuites,
    'Comma-separated cipher suites in order of preference, with their names in OpenSSL or IANA. The default contains only suites with forward secrecy and authenticated encryption.',
  ),
  'fw.http.ssl.client-auth': setting(
    oneOf('none', 'request', 'required'),
    'none',
    'Whether the server requests certificates from clients. `request` also accepts clients without a valid certificate. `required` rejects them during the handshake. The `mutualTls` filter creates a principal from the certificate.',
  ),
} as const

/** Settings for HTTP/2. */
export const http2Settings = {
  'fw.http.http2': setting(
    orAuto(booleanSetting),
    'auto',
    'Whether HTTP/2 is offered on the TLS port (ALPN). `auto` offers it if the version of Node.js is 22.23.2 or later, 24.18.1 or later, or at least 26. In other versions, `node:http2` has known vulnerabilities with which clients can exhaust the memory.',
  ),
  'fw.http.http2-clear-text': setting(
    booleanSetting,
    false,
    'Whether clients can use HTTP/2 without TLS, with prior knowledge (RFC 9113, section 3.3). An `Upgrade: h2c` header is ignored.',
  ),
  'fw.http.initial-window-size': setting(
    sizeBetween(65_535, 2 ** 31 - 1),
    256 * 1024,
    'Maximum number of bytes that a client can send on an HTTP/2 stream while the server does not read its body. A larger window makes uploads over slow networks faster. Up to this number of bytes is held in memory for each stream.',
  ),
} as const

/** Settings for other listeners. */
export const socketSettings = {
  'fw.http.host-enabled': setting(
    booleanSetting,
    true,
    'Whether the server listens on `fw.http.port` and `fw.http.ssl-port`. If `false`, it listens only on `fw.http.domain-socket`.',
  ),
  'fw.http.domain-socket': setting(
    orUnset(filePath),
    undefined,
    'Path of a Unix domain socket to listen on, in addition to the ports. Requests on it are not encrypted, and `fw.http.insecure-requests` does not apply to them. A socket file left behind by a process that has ended is replaced.',
  ),
  'fw.http.domain-socket-enabled': setting(
    booleanSetting,
    true,
    'Whether the server listens on `fw.http.domain-socket` if it is set.',
  ),
} as const
