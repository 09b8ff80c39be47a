/** Client certificates: handshakes, principals, workers and resumed sessions. */
import { once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  mutualTls,
  path,
  produces,
  routes,
  text,
  withFilter,
  authenticated,
} from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describeWith, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { headerOf } from '../../support/raw-response.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { connectTls, handshakeError, tlsOptions, withCertificate } from './clients.ts'

const api = pipe(
  routes({
    anyone: pipe(
      path('/anyone'),
      get(),
      produces(text),
      handle((_, { request, security }) =>
        JSON.stringify([
          security.principal?.name,
          security.scheme,
          request.clientCertificate?.subject,
        ]),
      ),
    ),
    me: pipe(
      path('/me'),
      get(),
      authenticated,
      produces(text),
      handle((_, { security }) => JSON.stringify(security.principal)),
    ),
  }),
  withFilter(
    mutualTls({
      roles: ({ alternativeNames }) =>
        alternativeNames.includes('URI:spiffe://desk') ? ['librarian'] : [],
    }),
  ),
)

describeWith('mutual TLS', 'openssl', hasOpenSsl, (test) => {
  const folder = createCertificateFolder()
  const authority = folder.authority('ca')
  const clients = folder.authority('clients')
  const strangers = folder.authority('strangers')
  const local = folder.issue(authority, 'local')
  const other = folder.issue(authority, 'other', { names: 'DNS:other.example' })
  const ann = folder.issue(clients, 'ann', {
    names: 'URI:spiffe://desk,email:ann@library.example,DNS:"a'.replace('"', ''),
  })
  const expired = folder.issue(clients, 'expired', { days: -1 })
  const stranger = folder.issue(strangers, 'stranger')
  const ambiguous = folder.issue(clients, 'ambiguous', { subject: '/O=Library/CN=ann/CN=ben' })

  const withServer = async (
    clientAuth: 'request' | 'required',
    use: (server: Server) => Promise<unknown>,
    options: ServeOptions = {},
  ): Promise<void> => {
    const server = await serveLocally(api, {
      ...tlsOptions(local, other),
      'fw.http.ssl.client-auth': clientAuth,
      'fw.http.ssl.certificate.trust-store-files': clients.certificate,
      ...options,
    })
    try {
      await use(server)
    } finally {
      await server.close()
    }
  }

  test('a verified certificate is the principal', () =>
    withServer('request', async (server) => {
      const connection = await connectTls(server, authority, withCertificate(ann))
      connection.write(rawRequest('GET /me'))
      const { status, body } = await connection.next()
      const { claims, ...principal } = JSON.parse(body) as {
        readonly claims: Readonly<Record<string, unknown>>
      }
      assert.is(status, 200)
      assert.equal(principal, { name: 'ann', roles: ['librarian'] })
      assert.is(claims['subject'], 'CN=ann,O=Library')
      assert.equal(claims['alternativeNames'], [
        'URI:spiffe://desk',
        'email:ann@library.example',
        'DNS:a',
      ])
      assert.match(String(claims['fingerprint']), /^[\da-f]{64}$/)
      connection.write(rawRequest('GET /anyone'))
      assertResponse(await connection.next(), [
        200,
        '["ann","ClientCertificate","CN=ann,O=Library"]',
      ])
      connection.destroy()
    }))

  test('the name of a principal with several common names is the whole subject', () =>
    withServer('request', async (server) => {
      const connection = await connectTls(server, authority, withCertificate(ambiguous))
      connection.write(rawRequest('GET /anyone'))
      assertResponse(await connection.next(), [200, /^\["CN=ben,CN=ann,O=Library"/])
      connection.destroy()
    }))

  table(
    test,
    [
      ['no certificate', undefined],
      ['a certificate of another authority', stranger],
      ['an expired certificate', expired],
      ['a certificate of the server authority', local],
    ] as const,
    async (_, paths) => {
      const options = paths === undefined ? {} : withCertificate(paths)
      await withServer('request', async (server) => {
        const connection = await connectTls(server, authority, options)
        connection.write(rawRequest('GET /anyone'))
        assertResponse(await connection.next(), [200, '[null,null,null]'])
        connection.write(rawRequest('GET /me'))
        const response = await connection.next()
        assert.equal(
          [response.status, headerOf(response, 'www-authenticate')],
          [401, 'ClientCertificate'],
        )
        connection.destroy()
      })
      await withServer('required', async (server) => {
        // with TLS 1.3, the client completes the handshake before the server rejects its certificate
        const connection = await connectTls(server, authority, options)
        await once(connection.socket, 'close').catch(() => undefined)
        const older = { ...options, maxVersion: 'TLSv1.2' } as const
        assert.match(await handshakeError(server, authority, older), /Error/)
      })
    },
  )

  test('a required certificate that is verified is accepted', () =>
    withServer('required', async (server) => {
      const connection = await connectTls(server, authority, withCertificate(ann))
      connection.write(rawRequest('GET /me'))
      assert.is((await connection.next()).status, 200)
      connection.destroy()
    }))

  table(
    test,
    [
      ['the default certificate with TLS 1.3', 'localhost', 'TLSv1.3'],
      ['the default certificate with TLS 1.2', 'localhost', 'TLSv1.2'],
      ['another certificate with TLS 1.3', 'other.example', 'TLSv1.3'],
      ['another certificate with TLS 1.2', 'other.example', 'TLSv1.2'],
    ] as const,
    (_, servername, maxVersion) =>
      withServer('required', async (server) => {
        const options = { ...withCertificate(ann), servername, maxVersion }
        const first = await connectTls(server, authority, options)
        const sessions: Buffer[] = []
        first.socket.on('session', (session: Buffer) => sessions.push(session))
        first.write(rawRequest('GET /me'))
        assert.is((await first.next()).status, 200)
        const session = sessions.at(-1) ?? first.socket.getSession()
        first.destroy()
        assert.ok(session !== undefined)
        const second = await connectTls(server, authority, { ...options, session })
        second.write(rawRequest('GET /me'))
        assertResponse(await second.next(), [200, /"name":"ann"/])
        second.destroy()
      }),
  )
})
