/** Creates certificates and keys with the command `openssl` in a temporary folder. Nothing is committed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './folder.ts'

export const hasOpenSsl = spawnSync('openssl', ['version']).status === 0

/** The paths of a certificate and its key. */
export interface CertificatePaths {
  readonly certificate: string
  readonly key: string
}

/** Properties of a certificate. */
export interface CertificateOptions {
  /** Subject alternative names in the notation of OpenSSL, such as `DNS:localhost,URI:spiffe://a`. */
  readonly names?: string
  /** Days until the certificate expires. A negative number creates an expired certificate. Default: 2. */
  readonly days?: number
  /** Default: `/O=Library/CN=` and the name of the file. */
  readonly subject?: string
}

/** Creates certificates in a temporary folder. */
export interface CertificateFolder {
  readonly path: (name: string) => string
  /** Creates a certificate authority. */
  readonly authority: (name: string) => CertificatePaths
  /** Issues a certificate. Existing files are replaced. */
  readonly issue: (
    authority: CertificatePaths,
    name: string,
    options?: CertificateOptions,
  ) => CertificatePaths
  /** Creates a PKCS#12 file, and returns its path. */
  readonly keyStore: (paths: CertificatePaths, name: string, password: string) => string
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

export const createCertificateFolder = (): CertificateFolder => {
  const folder = newFolder()
  const path = (name: string): string => join(folder, name)
  const openssl = (...words: ReadonlyArray<string>): void =>
    void execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const pathsOf = (name: string): CertificatePaths => ({
    certificate: path(`${name}.pem`),
    key: path(`${name}.key`),
  })
  return {
    path,
    authority: (name) => {
      const paths = pathsOf(name)
      const files = ['-keyout', paths.key, '-out', paths.certificate]
      openssl('req', '-x509', ...newKey, ...files, '-days', '2', '-subj', `/O=Library/CN=${name}`)
      return paths
    },
    issue: (authority, name, { names = 'DNS:localhost', days = 2, subject } = {}) => {
      const paths = pathsOf(name)
      const request = path(`${name}.csr`)
      const extensions = path(`${name}.ext`)
      writeFileSync(extensions, `subjectAltName=${names}\n`)
      openssl(
        'req',
        '-new',
        ...newKey,
        '-keyout',
        `${paths.key}.new`,
        '-out',
        request,
        '-subj',
        subject ?? `/O=Library/CN=${name}`,
      )
      openssl(
        'x509',
        '-req',
        '-in',
        request,
        '-out',
        `${paths.certificate}.new`,
        '-CA',
        authority.certificate,
        '-CAkey',
        authority.key,
        '-CAcreateserial',
        '-days',
        String(days),
        '-extfile',
        extensions,
      )
      for (const file of [paths.key, paths.certificate])
        writeFileSync(file, readFileSync(`${file}.new`))
      return paths
    },
    keyStore: ({ certificate, key }, name, password) => {
      const store = path(`${name}.p12`)
      openssl(
        'pkcs12',
        '-export',
        '-in',
        certificate,
        '-inkey',
        key,
        '-out',
        store,
        '-passout',
        `pass:${password}`,
      )
      return store
    },
  }
}
