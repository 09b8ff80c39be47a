/** `fw.http.insecure-requests`: redirects from the clear-text port, and servers without one. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { body, bytes, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describeWith, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { assertResponse, head, rawRequest, requestWithBody } from '../../support/raw.ts'
import { connectTls, tlsOptions } from './clients.ts'

const api = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(text),
    handle((_, { uri }) => uri.request.href),
  ),
  upload: pipe(
    path('/upload'),
    post(),
    body(bytes),
    produces(text),
    handle(({ body: { length } }) => String(length)),
  ),
})

describeWith('fw.http.insecure-requests', 'openssl', hasOpenSsl, (test) => {
  const folder = createCertificateFolder()
  const authority = folder.authority('ca')
  const local = folder.issue(authority, 'local')

  const withServer = async (
    options: ServeOptions,
    use: (server: Server, clear: string) => Promise<unknown>,
  ): Promise<void> => {
    const server = await serveLocally(api, { ...tlsOptions(local), ...options })
    try {
      await use(server, server.urls.find((url) => url.startsWith('http:')) ?? '')
    } finally {
      await server.close()
    }
  }

  const redirect = { 'fw.http.insecure-requests': 'redirect' } as const
  const publicUrl = 'https://api.example.com/v1'

  table<readonly [title: string, request: string, options: ServeOptions, location: string]>(
    test,
    [
      [
        'to the TLS port of the same host',
        rawRequest('GET /where?a=1&b=%20'),
        {},
        'https://a.example:PORT/where?a=1&b=%20',
      ],
      [
        'without the port of the request',
        head('GET / HTTP/1.1', 'Host: b.example:8080'),
        {},
        'https://b.example:PORT/',
      ],
      ['to an IPv6 address', head('GET / HTTP/1.1', 'Host: [::1]:8080'), {}, 'https://[::1]:PORT/'],
      [
        'to the public URL',
        rawRequest('GET /where?a'),
        { 'fw.http.public-url': publicUrl },
        `${publicUrl}/where?a`,
      ],
      [
        'of a path that looks like an authority',
        rawRequest('GET //evil.example/'),
        {},
        'https://a.example:PORT//evil.example/',
      ],
      [
        'to the host and prefix of a proxy',
        rawRequest(
          'GET /where',
          'X-Forwarded-For: 192.0.2.1',
          'X-Forwarded-Host: c.example',
          'X-Forwarded-Proto: http',
          'X-Forwarded-Prefix: /v2',
        ),
        { 'fw.http.proxy.trusted': '127.0.0.1' },
        'https://c.example:PORT/v2/where',
      ],
    ],
    (_, request, options, location) =>
      withServer({ ...redirect, ...options }, async (server, clear) => {
        const connection = await connectTo(clear)
        for (let times = 0; times < 2; times++) {
          connection.write(request)
          const response = await connection.next()
          assert.is(response.status, 308)
          const { port } = new URL(server.url)
          assert.equal(headerOf(response, 'location'), location.replace('PORT', port))
        }
        connection.destroy()
      }),
  )

  test('a request with a body is redirected, and the connection stays usable', () =>
    withServer(redirect, async (_, clear) => {
      const connection = await connectTo(clear)
      connection.write(requestWithBody('POST /upload', 'x'.repeat(1000)))
      assert.is((await connection.next()).status, 308)
      connection.write(rawRequest('GET /where'))
      assert.is((await connection.next()).status, 308)
      connection.destroy()
    }))

  test('a request that a proxy has received with TLS is served', () =>
    withServer({ ...redirect, 'fw.http.proxy.trusted': '127.0.0.1' }, async (_, clear) => {
      const connection = await connectTo(clear)
      connection.write(
        rawRequest('GET /where', 'X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Proto: https'),
      )
      assertResponse(await connection.next(), [200, 'https://a.example/where'])
      connection.destroy()
    }))

  test('hosts that are not allowed and malformed requests are rejected', () =>
    withServer({ ...redirect, 'fw.http.allowed-hosts': 'a.example' }, async (_, clear) => {
      for (const [request, status] of [
        [head('GET / HTTP/1.1', 'Host: evil.example'), 421],
        [head('GET / HTTP/1.1', 'Host: a b'), 400],
      ] as const) {
        const connection = await connectTo(clear)
        connection.write(request)
        const [response] = await connection.rest()
        assert.is(response?.status, status)
      }
    }))

  table<readonly [title: string, options: ServeOptions]>(
    test,
    [
      ['disabled: the clear-text port is not opened', { 'fw.http.insecure-requests': 'disabled' }],
      [
        'the clear-text port is not opened by default if client certificates are required',
        {
          'fw.http.ssl.client-auth': 'required',
          'fw.http.ssl.certificate.trust-store-files': authority.certificate,
        },
      ],
    ],
    (_, options) =>
      withServer(options, async (server) => {
        assert.equal(server.urls, [server.url])
        assert.match(server.url, /^https:/)
      }),
  )

  test('on the TLS port, requests are served', () =>
    withServer(redirect, async (server) => {
      const connection = await connectTls(server, authority)
      connection.write(rawRequest('GET /where'))
      assertResponse(await connection.next(), [200, 'https://a.example/where'])
      connection.destroy()
    }))
})
