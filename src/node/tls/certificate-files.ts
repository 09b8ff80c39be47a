/**
 * Reads and checks the files with the certificates of a server, their private keys, and trusted certificate authorities, and converts the
 * settings for TLS versions and cipher suites to options of Node.js.
 */
import * as E from 'fp-ts/lib/Either.js'
import { createHash, createPrivateKey, X509Certificate, constants } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SecureContext, SecureContextOptions } from 'node:tls'
import { createSecureContext, getCiphers } from 'node:tls'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { isBytes, isError, messageOf, toError } from '../../http/platform-value.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

/** A certificate of the server that is ready to be used. */
export interface ServerCertificate {
  /** The certificate, or `undefined` if it could not be extracted from a key store. It is then used only by default. */
  readonly leaf: X509Certificate | undefined
  readonly options: SecureContextOptions
  readonly context: SecureContext
}

/** The certificates of a server. The first is the default. */
export type ServerCertificates = readonly [ServerCertificate, ...ReadonlyArray<ServerCertificate>]

/** The contents of the configured files, or the errors that occurred while reading them. */
export interface CertificateFiles {
  /** A digest of all contents and errors, for detecting changes. */
  readonly digest: string
  /** Checks the contents. Returns all errors, or the certificates. */
  readonly check: () => E.Either<ReadonlyArray<ConfigurationIssue>, ServerCertificates>
}

/** Receives the errors that a check finds. */
type Report = (issue: ConfigurationIssue) => void

const setting = 'fw.http.ssl.certificate'
const files = `${setting}.files` as const
const keyFiles = `${setting}.key-files` as const
const keyStoreFile = `${setting}.key-store-file` as const
const trustFiles = `${setting}.trust-store-files` as const

type FileSetting = typeof files | typeof keyFiles | typeof keyStoreFile | typeof trustFiles

/** A configured file, with its bytes or the error that occurred while reading it. */
interface ConfiguredFile {
  readonly title: string
  readonly bytes: Buffer | Error
}

/** Reads all configured files. */
export const readCertificateFiles = async (loaded: LoadedSettings): Promise<CertificateFiles> => {
  const { settings, origin } = loaded
  const read = (name: FileSetting, paths: ReadonlyArray<string>) =>
    Promise.all(
      paths.map(async (path): Promise<ConfiguredFile> => ({
        title: `${name} (from ${origin(name)}): ${path}`,
        bytes: await readFile(path).catch(toError),
      })),
    )
  const [certificates, keys, stores, authorities] = await Promise.all([
    read(files, settings[files]),
    read(keyFiles, settings[keyFiles]),
    read(keyStoreFile, [settings[keyStoreFile] ?? []].flat()),
    read(trustFiles, settings[trustFiles]),
  ])
  const hash = createHash('sha256')
  for (const { title, bytes } of [certificates, keys, stores, authorities].flat())
    hash
      .update(`${title}\0`)
      .update(isError(bytes) ? 'unreadable' : createHash('sha256').update(bytes).digest())
  return {
    digest: hash.digest('hex'),
    check: () => {
      const issues: ConfigurationIssue[] = []
      const report: Report = (issue) => issues.push(issue)
      if (certificates.length !== keys.length) report(countIssue(certificates, keys))
      const ca = authorities.flatMap((file) => readAuthority(file, report) ?? [])
      const shared = { ...protocolOptions(settings), ...(ca.length > 0 ? { ca } : {}) }
      const password = settings[`${setting}.key-store-password`]
      const [first, ...others] = [
        ...certificates.map((file, index) => loadPair(file, keys[index], shared, report)),
        ...stores.map((file) => loadStore(file, password, shared, report)),
      ].flatMap((certificate) => certificate ?? [])
      return issues.length > 0 || first === undefined ? E.left(issues) : E.right([first, ...others])
    },
  }
}

const invalid = (title: string, remedy: string): ConfigurationIssue => ({
  code: 'FW-TLS-001',
  concerns: [title],
  remedy,
})

const countIssue = (
  certificates: ReadonlyArray<unknown>,
  keys: ReadonlyArray<unknown>,
): ConfigurationIssue =>
  invalid(
    `${files}: ${certificates.length}, ${keyFiles}: ${keys.length}`,
    'list one key file for each certificate file, in the same order',
  )

/** Parses the bytes of a file. `expected` is the remedy that is reported if it cannot be read or parsed. */
const parse = <A>(
  { title, bytes }: ConfiguredFile,
  expected: string,
  report: Report,
  parser: (bytes: Buffer) => A,
): A | undefined => {
  try {
    if (isError(bytes)) throw bytes
    return parser(bytes)
  } catch (error) {
    report(invalid(title, `must be ${expected} (${messageOf(error)})`))
    return undefined
  }
}

const certificateForm = 'a readable certificate in PEM format'

const readAuthority = (file: ConfiguredFile, report: Report): Buffer | undefined =>
  parse(file, certificateForm, report, (bytes) => {
    const authority = new X509Certificate(bytes)
    if (!authority.ca) throw new TypeError('not a certificate authority')
    return bytes
  })

const loadPair = (
  certificate: ConfiguredFile,
  key: ConfiguredFile | undefined,
  shared: SecureContextOptions,
  report: Report,
): ServerCertificate | undefined => {
  const leaf = parse(certificate, certificateForm, report, (bytes) => new X509Certificate(bytes))
  const keyForm = 'a readable, unencrypted private key in PEM format'
  const privateKey = key && parse(key, keyForm, report, (bytes) => createPrivateKey(bytes))
  if (leaf === undefined || privateKey === undefined) return undefined
  if (!leaf.checkPrivateKey(privateKey)) {
    report({
      code: 'FW-TLS-002',
      concerns: [certificate.title, key?.title ?? ''],
      remedy: 'list certificates and keys in the same order, or replace one of the files',
    })
    return undefined
  }
  return parse(certificate, 'a certificate that OpenSSL accepts', report, (bytes) => {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const options = { ...shared, cert: bytes, key: pem }
    const context = createSecureContext(options)
    checkValidity(certificate, leaf, report)
    return { leaf, options, context }
  })
}

const loadStore = (
  store: ConfiguredFile,
  passphrase: string | undefined,
  shared: SecureContextOptions,
  report: Report,
): ServerCertificate | undefined => {
  const form = `a readable PKCS#12 file that ${setting}.key-store-password opens`
  return parse(store, form, report, (bytes) => {
    const options = { ...shared, pfx: bytes, ...(passphrase === undefined ? {} : { passphrase }) }
    const context = createSecureContext(options)
    const leaf = leafOf(context)
    if (leaf !== undefined) checkValidity(store, leaf, report)
    return { leaf, options, context }
  })
}

/** Returns the certificate in a context. Node.js parses PKCS#12 files only in contexts, which have an undocumented accessor. */
const leafOf = ({ context }: SecureContext): X509Certificate | undefined => {
  const accessor: unknown = Reflect.get(Object(context), 'getCertificate')
  const bytes: unknown =
    typeof accessor === 'function' ? Reflect.apply(accessor, context, []) : undefined
  return isBytes(bytes) ? new X509Certificate(bytes) : undefined
}

/** Checks whether a certificate is valid at the current time. */
const checkValidity = (
  { title }: ConfiguredFile,
  { validFrom, validTo }: X509Certificate,
  report: Report,
): void => {
  const now = Date.now()
  if (now < Date.parse(validFrom) || Date.parse(validTo) < now)
    report({
      code: 'FW-TLS-003',
      concerns: [title],
      remedy: `renew the certificate, which is valid from ${validFrom} to ${validTo}`,
    })
}

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
