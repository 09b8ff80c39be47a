/** Requests over TLS: certificates by server name, versions, limits, timeouts and the shutdown. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { body, bytes, get, handle, path, post, produces, routes, text } from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describeWith, table } from '../../support/describe.ts'
import { createGate, waitAtGate } from '../../support/gate.ts'
import { serveLocally } from '../../support/loopback.ts'
import { assertResponse, rawRequest, requestWithBody } from '../../support/raw.ts'
import { createRecorder } from '../../support/recorder.ts'
import { connectTls, handshake, handshakeError, tlsOptions } from './clients.ts'
import { waitUntil } from '../../support/wait-until.ts'

const gate = createGate()

const api = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(text),
    handle((_, { uri, security, request }) =>
      [uri.request.href, security.secure, request.clientAddress].join(' '),
    ),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => 'x'.repeat(8_000_000)),
  ),
  upload: pipe(
    path('/upload'),
    post(),
    body(bytes),
    produces(text),
    handle(({ body: { length } }) => String(length)),
  ),
  gated: pipe(
    path('/gated'),
    get(),
    produces(text),
    handle(async () => {
      await waitAtGate(gate.name)
      return 'done'
    }),
  ),
})

describeWith('a server with TLS', 'openssl', hasOpenSsl, (test) => {
  const folder = createCertificateFolder()
  const authority = folder.authority('ca')
  const local = folder.issue(authority, 'local', { names: 'DNS:localhost,IP:127.0.0.1' })
  const wild = folder.issue(authority, 'wild', { names: 'DNS:*.example.com' })
  const exact = folder.issue(authority, 'exact', { names: 'DNS:api.example.com,DNS:other.example' })

  const withServer = async (
    use: (server: Server) => Promise<unknown>,
    options: ServeOptions = {},
  ): Promise<void> => {
    const server = await serveLocally(api, { ...tlsOptions(local, wild, exact), ...options })
    try {
      await use(server)
    } finally {
      await server.close()
    }
  }

  test('listens on both ports, and creates https URLs on the TLS port', () =>
    withServer(async (server) => {
      const [secure = '', clear = '', ...others] = server.urls
      assert.match(secure, /^https:\/\/127\.0\.0\.1:\d+$/)
      assert.match(clear, /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.equal([server.url, others], [secure, []])
      const connection = await connectTls(server, authority)
      connection.write(rawRequest('GET /where'))
      assertResponse(await connection.next(), [200, 'https://a.example/where true 127.0.0.1'])
      connection.write(rawRequest('GET /where'))
      assertResponse(await connection.next(), [200, 'https://a.example/where true 127.0.0.1'])
      assert.is(connection.socket.getProtocol(), 'TLSv1.3')
      connection.destroy()
      const response = await fetch(`${clear}/where`)
      assert.is(await response.text(), `${clear}/where false 127.0.0.1`)
    }))

  table(
    test,
    [
      ['the default for an unknown name', 'unknown.example', 'local'],
      ['the default without a name', '', 'local'],
      ['a wildcard', 'www.example.com', 'wild'],
      ['an exact name before a wildcard', 'api.example.com', 'exact'],
      ['a name in upper case', 'OTHER.EXAMPLE', 'exact'],
      ['the default for a name with two labels below a wildcard', 'a.b.example.com', 'local'],
    ] as const,
    (_, servername, name) =>
      withServer(async (server) => {
        const options = { servername, checkServerIdentity: () => undefined }
        const connection = await connectTls(server, authority, options)
        assert.is(connection.socket.getPeerCertificate().subject.CN, name)
        connection.destroy()
      }),
  )

  test('a PKCS#12 file supplies the certificate and the key', () =>
    withServer(
      async (server) => {
        const connection = await connectTls(server, authority)
        assert.is(connection.socket.getPeerCertificate().subject.CN, 'local')
        connection.write(rawRequest('GET /where'))
        assertResponse(await connection.next(), [200, /^https:/])
        connection.destroy()
      },
      {
        'fw.http.ssl.certificate.files': '',
        'fw.http.ssl.certificate.key-files': '',
        'fw.http.ssl.certificate.key-store-file': folder.keyStore(local, 'store', 'päss word'),
        'fw.http.ssl.certificate.key-store-password': 'päss word',
      },
    ))

  table<
    readonly [title: string, version: string, protocols: string | undefined, isAccepted: boolean]
  >(
    test,
    [
      ['TLS 1.1 is rejected by default', '-tls1_1', undefined, false],
      ['TLS 1.2 is accepted by default', '-tls1_2', undefined, true],
      ['TLS 1.3 is accepted by default', '-tls1_3', undefined, true],
      ['TLS 1.2 can be disabled', '-tls1_2', 'TLSv1.3', false],
      ['TLS 1.3 can be disabled', '-tls1_3', 'TLSv1.2', false],
    ],
    (_, version, protocols, isAccepted) =>
      withServer(
        async (server) => {
          const { output, code } = await handshake(server, version)
          assert.is(code === 0, isAccepted, output)
          assert.is(/alert protocol version/.test(output), !isAccepted, output)
        },
        protocols === undefined ? {} : { 'fw.http.ssl.protocols': protocols },
      ),
  )

  test('cipher suites can be set with their IANA names', () =>
    withServer(
      async (server) => {
        const options = { maxVersion: 'TLSv1.2' } as const
        const connection = await connectTls(server, authority, options)
        assert.is(connection.socket.getCipher().name, 'ECDHE-ECDSA-AES128-GCM-SHA256')
        connection.destroy()
        const cbc = { ...options, ciphers: 'ECDHE-ECDSA-AES128-SHA' }
        assert.match(await handshakeError(server, authority, cbc), /handshake failure/)
      },
      { 'fw.http.ssl.cipher-suites': 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256' },
    ))

  test('limits and malformed requests result in the same responses as without TLS', () =>
    withServer(
      async (server) => {
        for (const [request, status] of [
          [requestWithBody('POST /upload', 'x'.repeat(2000)), 413],
          [rawRequest('GET /where', `X: ${'x'.repeat(3000)}`), 431],
          [rawRequest(`GET /${'x'.repeat(9000)}`), 414],
          ['GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n', 400],
          ['BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
        ] as const) {
          const connection = await connectTls(server, authority)
          connection.write(request)
          const response = await connection.next()
          assert.is(response.status, status, request.slice(0, 40))
          connection.destroy()
        }
        assert.is(server.bufferedBytes, 0)
      },
      { 'fw.http.limits.max-body-size': 1000, 'fw.http.limits.max-header-size': 2000 },
    ))

  test('the limit on connections includes all listeners', () =>
    withServer(
      async (server) => {
        const first = await connectTls(server, authority)
        const second = connect(Number(new URL(server.urls[1] ?? '').port), '127.0.0.1')
        second.write(rawRequest('GET /where'))
        await once(second, 'data')
        const third = connect(Number(new URL(server.urls[1] ?? '').port), '127.0.0.1')
        third.on('error', () => undefined)
        await once(third.resume(), 'close')
        first.destroy()
        await waitUntil(async () => {
          const connection = await connectTls(server, authority).catch(() => undefined)
          connection?.destroy()
          return connection !== undefined
        })
        second.destroy()
      },
      { 'fw.http.limits.max-connections': 2 },
    ))

  test('a client that does not read a response is disconnected', () =>
    withServer(
      async (server) => {
        const { socket, write } = await connectTls(server, authority)
        socket.pause()
        write(rawRequest('GET /large'))
        await waitUntil(() => server.bufferedBytes > 0)
        await waitUntil(() => server.bufferedBytes === 0)
        socket.destroy()
      },
      { 'fw.http.write-timeout': 500 },
    ))

  test('a client that ends its side after a request receives the response', () =>
    withServer(async (server) => {
      const connection = await connectTls(server, authority)
      connection.socket.allowHalfOpen = true
      connection.socket.end(rawRequest('GET /where'))
      const [response] = await connection.rest()
      assert.is(response?.status, 200)
    }))

  table(
    test,
    [
      ['sends nothing', ''],
      ['sends the beginning of a handshake', '\x16\x03\x01\x02\x00\x01\x00'],
    ],
    (_, data) =>
      withServer(
        async (server) => {
          const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
          socket.on('error', () => undefined)
          socket.write(data, 'latin1')
          socket.resume()
          await waitUntil(() => socket.closed)
        },
        { 'fw.http.header-timeout': 300 },
      ),
  )

  test('a client that sends a handshake byte by byte is disconnected', () =>
    withServer(
      async (server) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
        socket.on('error', () => undefined)
        const timer = setInterval(() => socket.write('\x16', 'latin1'), 50)
        socket.resume()
        await waitUntil(() => socket.closed).finally(() => clearInterval(timer))
      },
      { 'fw.http.header-timeout': 300 },
    ))

  table<readonly [title: string, act: (socket: Socket) => unknown]>(
    test,
    [
      ['disconnects', (socket) => socket.end('\x16\x03\x01\x02\x00', 'latin1')],
      ['resets the connection', (socket) => socket.resetAndDestroy()],
      ['sends HTTP', (socket) => socket.write(rawRequest('GET /where'))],
      ['sends other data', (socket) => socket.write('x'.repeat(20_000))],
    ],
    async (_, act) => {
      const { logger, lines } = createRecorder()
      await withServer(
        async (server) => {
          const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
          socket.on('error', () => undefined)
          await once(socket, 'connect')
          socket.resume()
          act(socket)
          await waitUntil(() => socket.closed && lines.length > 0)
          const connection = await connectTls(server, authority)
          connection.destroy()
        },
        // a connection that is not closed at once would be closed after 120 seconds
        { logger, 'fw.log.level': 'debug', 'fw.http.header-timeout': 0 },
      )
      assert.equal(
        lines.filter(({ level }) => level !== 'debug'),
        [],
      )
      assert.match(lines[0]?.message ?? '', /^TLS handshake failed: /)
    },
  )

  test('a shutdown completes the requests on encrypted connections', async () => {
    const server = await serveLocally(api, {
      ...tlsOptions(local),
      'fw.shutdown.grace': 0,
      'fw.shutdown.timeout': '20s',
    })
    const [idle, busy, silent] = await Promise.all([
      connectTls(server, authority),
      connectTls(server, authority),
      connectTls(server, authority),
    ])
    idle.write(rawRequest('GET /where'))
    assertResponse(await idle.next(), [200, /./])
    busy.write(rawRequest('GET /gated'))
    await waitUntil(gate.isReached)
    const closed = server.close()
    await Promise.all([idle.closed(), silent.closed()])
    gate.open()
    assertResponse(await busy.next(), [200, 'done'])
    await busy.closed()
    await closed
  })
})
