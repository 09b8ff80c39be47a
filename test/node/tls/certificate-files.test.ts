/** Certificates and settings that are configuration errors, and reloading. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describeWith, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { createRecorder } from '../../support/recorder.ts'
import { connectTls, tlsOptions } from './clients.ts'
import { waitUntil } from '../../support/wait-until.ts'

const api = routes({
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
})

const startError = async (options: ServeOptions): Promise<string> => {
  try {
    const server = await serveLocally(api, options)
    await server.close()
    return 'started'
  } catch (error) {
    return String(error)
  }
}

/** The common name of the certificate that a server presents. */
const presented = async (
  server: Server,
  authority: Parameters<typeof connectTls>[1],
  servername = 'localhost',
): Promise<unknown> => {
  const options = { servername, checkServerIdentity: () => undefined }
  const connection = await connectTls(server, authority, options)
  const { subject } = connection.socket.getPeerCertificate()
  connection.destroy()
  return subject.CN
}

const storeSettings = (file: string, password?: string): ServeOptions => ({
  'fw.http.ssl-port': 0,
  'fw.http.ssl.certificate.key-store-file': file,
  ...(password === undefined ? {} : { 'fw.http.ssl.certificate.key-store-password': password }),
})

describeWith('certificate files', 'openssl', hasOpenSsl, (test) => {
  const folder = createCertificateFolder()
  const authority = folder.authority('ca')
  const good = folder.issue(authority, 'good')
  const other = folder.issue(authority, 'other')
  const expired = folder.issue(authority, 'expired', { days: -1 })
  const encryptedKey = folder.path('encrypted.key')
  execFileSync(
    'openssl',
    ['pkey', '-in', good.key, '-aes256', '-passout', 'pass:a', '-out', encryptedKey],
    { stdio: 'pipe' },
  )
  const store = folder.keyStore(good, 'store', 'plum')
  const textFile = folder.path('text.pem')
  writeFileSync(textFile, 'not a certificate')

  table<readonly [title: string, options: ServeOptions, expected: RegExp]>(
    test,
    [
      [
        'a missing certificate',
        tlsOptions({ ...good, certificate: folder.path('none.pem') }),
        /^ConfigurationError: 1 configuration error\nFW-TLS-001 {2}invalid certificate or key file\n.*certificate\.files \(from options\): .*none\.pem\n.*must be a readable certificate in PEM format \(ENOENT/,
      ],
      [
        'a certificate in another format',
        tlsOptions({ ...good, certificate: textFile }),
        /FW-TLS-001[^]*text\.pem\n.*PEM format/,
      ],
      [
        'a missing key',
        tlsOptions({ ...good, key: folder.path('none.key') }),
        /FW-TLS-001[^]*key-files \(from options\): .*none\.key/,
      ],
      [
        'an encrypted key',
        tlsOptions({ ...good, key: encryptedKey }),
        /FW-TLS-001[^]*encrypted\.key\n.*unencrypted private key/,
      ],
      [
        'a key of another certificate',
        tlsOptions({ ...good, key: other.key }),
        /FW-TLS-002[^]*good\.pem\n[^]*other\.key\n.*same order/,
      ],
      [
        'an expired certificate',
        tlsOptions(expired),
        /FW-TLS-003[^]*expired\.pem\n.*renew the certificate, which is valid from .* to /,
      ],
      [
        'fewer keys than certificates',
        { ...tlsOptions(good, other), 'fw.http.ssl.certificate.key-files': good.key },
        /FW-TLS-001[^]*files: 2, .*key-files: 1\n/,
      ],
      [
        'keys without certificates',
        { 'fw.http.ssl.certificate.key-files': good.key },
        /FW-TLS-001[^]*files: 0, .*key-files: 1\n/,
      ],
      [
        'all errors at once',
        tlsOptions({ ...good, key: other.key }, expired, { ...good, certificate: textFile }),
        /3 configuration errors[^]*FW-TLS-002[^]*FW-TLS-003[^]*FW-TLS-001/,
      ],
      [
        'a PKCS#12 file with another password',
        storeSettings(store, 'pear'),
        /FW-TLS-001[^]*store\.p12\n.*key-store-password opens \(mac verify failure\)/,
      ],
      ['a PKCS#12 file without a password', storeSettings(store), /FW-TLS-001[^]*store\.p12\n/],
      [
        'a PKCS#12 file in another format',
        storeSettings(textFile, 'plum'),
        /FW-TLS-001[^]*text\.pem\n/,
      ],
      [
        'a PKCS#12 file with an expired certificate',
        storeSettings(folder.keyStore(expired, 'old', 'plum'), 'plum'),
        /FW-TLS-003[^]*old\.p12/,
      ],
      [
        'certificates in both formats',
        { ...tlsOptions(good), ...storeSettings(store, 'plum') },
        /FW-CONF-006[^]*set only one of them/,
      ],
      [
        'redirects without a certificate',
        { 'fw.http.insecure-requests': 'redirect' },
        /FW-CONF-006[^]*insecure-requests \(from options\)\n.*certificate\.files/,
      ],
      [
        'client certificates without a certificate',
        { 'fw.http.ssl.client-auth': 'request' },
        /FW-CONF-006[^]*client-auth/,
      ],
      [
        'client certificates without an authority',
        { ...tlsOptions(good), 'fw.http.ssl.client-auth': 'request' },
        /FW-CONF-006[^]*trust-store-files/,
      ],
      [
        'an authority that is not one',
        {
          ...tlsOptions(good),
          'fw.http.ssl.client-auth': 'request',
          'fw.http.ssl.certificate.trust-store-files': good.certificate,
        },
        /FW-TLS-001[^]*trust-store-files[^]*not a certificate authority/,
      ],
      [
        'redirects to an http URL',
        {
          ...tlsOptions(good),
          'fw.http.insecure-requests': 'redirect',
          'fw.http.public-url': 'http://a.example',
        },
        /FW-CONF-006[^]*use an https URL/,
      ],
      [
        'no listener',
        { 'fw.http.host-enabled': false },
        /FW-CONF-006[^]*set fw\.http\.domain-socket/,
      ],
      [
        'an unknown version',
        { ...tlsOptions(good), 'fw.http.ssl.protocols': 'TLSv1.1' },
        /FW-CONF-002/,
      ],
      ['no version', { ...tlsOptions(good), 'fw.http.ssl.protocols': '' }, /FW-CONF-006/],
      [
        'an unknown cipher suite',
        { ...tlsOptions(good), 'fw.http.ssl.cipher-suites': 'TLS_AES_128_GCM_SHA256, NONE' },
        /FW-CONF-002[^]*: NONE\n.*getCiphers/,
      ],
    ],
    async (_, options, expected) => assert.match(await startError(options), expected),
  )

  test('the settings table masks the password', async () => {
    const server = await serveLocally(api, storeSettings(store, 'plum'))
    assert.match(server.settings, /key-store-password +\*\*\* +options/)
    assert.not.match(server.settings, /plum/)
    await server.close()
  })

  test('changed files are used for new connections, and invalid files are not', async () => {
    const { logger, linesAt } = createRecorder()
    const paths = folder.issue(authority, 'current', { subject: '/CN=first' })
    const second = folder.issue(authority, 'second', { names: 'DNS:second.example' })
    const server = await serveLocally(api, {
      ...tlsOptions(paths, second),
      logger,
      'fw.http.ssl.certificate.reload-period': 20,
    })
    const open = await connectTls(server, authority)
    assert.is(await presented(server, authority), 'first')
    folder.issue(authority, 'current', { subject: '/CN=renewed' })
    await waitUntil(async () => (await presented(server, authority)) === 'renewed')
    folder.issue(authority, 'second', { names: 'DNS:second.example', subject: '/CN=other' })
    await waitUntil(async () => (await presented(server, authority, 'second.example')) === 'other')

    const before = linesAt('error').length
    writeFileSync(paths.certificate, 'truncated')
    await waitUntil(() => linesAt('error').length > before)
    assert.is(await presented(server, authority), 'renewed')
    const invalid = linesAt('error').at(-1)
    assert.is(invalid?.members['code'], 'FW-TLS-001')
    assert.match(
      invalid?.message ?? '',
      /^invalid certificate or key file: must be .* The previous certificates stay in use\.$/,
    )

    const renewed = linesAt('info').filter(
      ({ message }) => message === 'Certificates reloaded',
    ).length
    folder.issue(authority, 'current', { subject: '/CN=expired', days: -1 })
    await waitUntil(() => linesAt('error').some(({ members }) => members['code'] === 'FW-TLS-003'))
    assert.is(await presented(server, authority), 'renewed')
    folder.issue(authority, 'current', { subject: '/CN=last' })
    await waitUntil(async () => (await presented(server, authority)) === 'last')
    assert.ok(linesAt('info').length > renewed)

    open.write(rawRequest('GET /alive'))
    assertResponse(await open.next(), [200, 'alive'])
    open.destroy()
    await server.close()
  })

  test('unchanged files are not reloaded', async () => {
    const { logger, linesAt } = createRecorder()
    const server = await serveLocally(api, {
      ...tlsOptions(good),
      logger,
      'fw.http.ssl.certificate.reload-period': 10,
    })
    const session = await connectTls(server, authority)
    const copy = folder.path('copy.pem')
    for (let reads = 0; reads < 20; reads++) {
      // a reload must not read a file that is being written
      writeFileSync(copy, readFileSync(good.certificate))
      renameSync(copy, good.certificate)
      session.write(rawRequest('GET /alive'))
      assertResponse(await session.next(), [200, 'alive'])
    }
    assert.equal([...linesAt('info'), ...linesAt('error')], [])
    session.destroy()
    await server.close()
  })

  test('no request is lost while certificates are reloaded under load', async () => {
    const { logger, linesAt } = createRecorder()
    const paths = folder.issue(authority, 'load', { subject: '/CN=0' })
    const server = await serveLocally(api, {
      ...tlsOptions(paths),
      logger,
      'fw.http.ssl.certificate.reload-period': 20,
    })
    const reloads = () =>
      linesAt('info').filter(({ message }) => message === 'Certificates reloaded').length
    const state = { isDone: false }
    const names = new Set<unknown>()
    let requests = 0
    const load = async (keepsOpen: boolean): Promise<void> => {
      while (!state.isDone) {
        const connection = await connectTls(server, authority)
        names.add(connection.socket.getPeerCertificate().subject.CN)
        for (let sent = 0; sent < (keepsOpen ? 20 : 1) && !state.isDone; sent++) {
          connection.write(rawRequest('GET /alive'))
          assertResponse(await connection.next(), [200, 'alive'])
          requests++
        }
        connection.destroy()
      }
    }
    const clients = Promise.all([load(true), load(true), load(false), load(false)])
    for (let round = 1; round <= 5; round++) {
      folder.issue(authority, 'load', { subject: `/CN=${round}` })
      await Promise.race([clients, waitUntil(() => names.has(String(round)))])
    }
    state.isDone = true
    await clients
    assert.ok(reloads() >= 5 && requests > 20, `${reloads()} reloads, ${requests} requests`)
    await server.close()
  })
})
