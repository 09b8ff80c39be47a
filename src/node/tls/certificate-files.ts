/** Reads and checks the files with the certificates of a server, their private keys, and trusted certificate authorities. */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SecureContext, SecureContextOptions } from 'node:tls'
import { createSecureContext } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { protocolOptions } from './protocol-options.ts'
import { isBytes, toError } from '../../http/platform-value.ts'

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

type Issues = ReadonlyArray<ConfigurationIssue>

const setting = 'fw.http.ssl.certificate'
const files = `${setting}.files` as const
const keyFiles = `${setting}.key-files` as const
const keyStoreFile = `${setting}.key-store-file` as const
const trustFiles = `${setting}.trust-store-files` as const

type FileSetting = typeof files | typeof keyFiles | typeof keyStoreFile | typeof trustFiles

/** A configured file, with its bytes or the error that occurred while reading it. */
interface ConfiguredFile {
  readonly title: string
  readonly bytes: E.Either<Error, Buffer>
}

/** Reads all configured files. */
export const readCertificateFiles = async (loaded: LoadedSettings): Promise<CertificateFiles> => {
  const { settings, origin } = loaded
  const read = (name: FileSetting, paths: ReadonlyArray<string>) =>
    Promise.all(
      paths.map(async (path): Promise<ConfiguredFile> => ({
        title: `${name} (from ${origin(name)}): ${path}`,
        bytes: await readFile(path).then(E.right, (error: unknown) => E.left(toError(error))),
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
      .update(E.isRight(bytes) ? createHash('sha256').update(bytes.right).digest() : 'unreadable')
  return {
    digest: hash.digest('hex'),
    check: () => {
      const trusted = checkAll(authorities, checkAuthority)
      const shared = {
        ...protocolOptions(settings),
        ...(E.isRight(trusted) && trusted.right.length > 0 ? { ca: [...trusted.right] } : {}),
      }
      const password = settings[`${setting}.key-store-password`]
      const pairs = certificates.map((certificate, index) => ({ certificate, key: keys[index] }))
      const checked = [
        checkAll(pairs, ({ certificate, key }) => checkPair(certificate, key, shared)),
        checkAll(stores, (store) => checkStore(store, password, shared)),
      ]
      const count = certificates.length === keys.length ? [] : [countIssue(certificates, keys)]
      const issues = [
        ...count,
        ...[trusted, ...checked].flatMap((e) => (E.isLeft(e) ? e.left : [])),
      ]
      const [first, ...others] = checked.flatMap((e) => (E.isRight(e) ? e.right : []))
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

/** Checks all values. Returns all errors, or all results. */
const checkAll = <A, B>(
  values: ReadonlyArray<A>,
  check: (value: A) => E.Either<Issues, B>,
): E.Either<Issues, ReadonlyArray<B>> => {
  const results = values.map(check)
  const issues = results.flatMap((result) => (E.isLeft(result) ? result.left : []))
  return issues.length > 0
    ? E.left(issues)
    : E.right(results.flatMap((result) => (E.isRight(result) ? [result.right] : [])))
}

/** Parses the bytes of a file. `expected` is the remedy if it cannot be read or parsed. */
const parse = <A>(
  { title, bytes }: ConfiguredFile,
  expected: string,
  parser: (bytes: Buffer) => A,
): E.Either<Issues, A> => {
  const parsed = E.isLeft(bytes)
    ? E.left(bytes.left)
    : E.tryCatch(() => parser(bytes.right), toError)
  return E.isRight(parsed)
    ? parsed
    : E.left([invalid(title, `must be ${expected} (${parsed.left.message})`)])
}

const certificateForm = 'a readable certificate in PEM format'

const checkAuthority = (file: ConfiguredFile): E.Either<Issues, Buffer> =>
  parse(file, certificateForm, (bytes) => {
    const authority = new X509Certificate(bytes)
    if (!authority.ca) throw new TypeError('not a certificate authority')
    return bytes
  })

const checkPair = (
  certificate: ConfiguredFile,
  key: ConfiguredFile | undefined,
  shared: SecureContextOptions,
): E.Either<Issues, ServerCertificate> => {
  const leaf = parse(certificate, certificateForm, (bytes) => new X509Certificate(bytes))
  const parsedKey =
    key === undefined
      ? E.left([])
      : parse(key, 'a readable, unencrypted private key in PEM format', (bytes) =>
          createPrivateKey(bytes),
        )
  if (E.isLeft(leaf) || E.isLeft(parsedKey))
    return E.left([leaf, parsedKey].flatMap((either) => (E.isLeft(either) ? either.left : [])))
  if (!leaf.right.checkPrivateKey(parsedKey.right))
    return E.left([
      {
        code: 'FW-TLS-002',
        concerns: [certificate.title, key?.title ?? ''],
        remedy: 'list certificates and keys in the same order, or replace one of the files',
      },
    ])
  return pipe(
    parse(certificate, 'a certificate that OpenSSL accepts', (bytes) => {
      const pem = parsedKey.right.export({ type: 'pkcs8', format: 'pem' })
      const options = { ...shared, cert: bytes, key: pem }
      return { leaf: leaf.right, options, context: createSecureContext(options) }
    }),
    E.chain(checkValidity(certificate)),
  )
}

const checkStore = (
  store: ConfiguredFile,
  passphrase: string | undefined,
  shared: SecureContextOptions,
): E.Either<Issues, ServerCertificate> =>
  pipe(
    parse(store, `a readable PKCS#12 file that ${setting}.key-store-password opens`, (bytes) => {
      const options = { ...shared, pfx: bytes, ...(passphrase === undefined ? {} : { passphrase }) }
      const context = createSecureContext(options)
      return { leaf: leafOf(context), options, context }
    }),
    E.chain(checkValidity(store)),
  )

/** Returns the certificate in a context. Node.js parses PKCS#12 files only in contexts, which have an undocumented accessor. */
const leafOf = ({ context }: SecureContext): X509Certificate | undefined => {
  const accessor: unknown = Reflect.get(Object(context), 'getCertificate')
  const bytes: unknown =
    typeof accessor === 'function' ? Reflect.apply(accessor, context, []) : undefined
  return isBytes(bytes) ? new X509Certificate(bytes) : undefined
}

/** Checks whether a certificate is valid at the current time. */
const checkValidity =
  ({ title }: ConfiguredFile) =>
  (certificate: ServerCertificate): E.Either<Issues, ServerCertificate> => {
    const { leaf } = certificate
    const now = Date.now()
    if (
      leaf === undefined ||
      (Date.parse(leaf.validFrom) <= now && now <= Date.parse(leaf.validTo))
    )
      return E.right(certificate)
    return E.left([
      {
        code: 'FW-TLS-003',
        concerns: [title],
        remedy: `renew the certificate, which is valid from ${leaf.validFrom} to ${leaf.validTo}`,
      },
    ])
  }
