/** Requests over HTTP/2: heads, limits, connection properties, and the choice of the protocol. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http2'
import { constants } from 'node:http2'
import { connect as connectSocket } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  accessLog,
  body,
  get,
  handle,
  ok,
  path,
  post,
  produces,
  routes,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import * as Headers from '../../../src/http/headers.ts'
import { nodeRequest, nodeResponse } from '../../../src/node.ts'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describe, describeWith, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { createRecorder } from '../../support/recorder.ts'
import { tlsOptions, withCertificate } from '../tls/clients.ts'
import { closeCode, exchange, openSession, withSession } from './client.ts'

const api = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(text),
    handle((_, { uri, security, request }) =>
      [
        uri.request.href,
        security.secure,
        request.clientAddress,
        request.clientCertificate?.commonName ?? 'no certificate',
      ].join(' '),
    ),
  ),
  headers: pipe(
    path('/headers'),
    get(),
    produces(text),
    handle((_, { request }) =>
      ['host', 'cookie', 'x-list']
        .map((name) => `${name}: ${Headers.all(request.headers, name).join(' and ')}`)
        .join('\n'),
    ),
  ),
  node: pipe(
    path('/node'),
    get(),
    produces(text),
    handle((_, context) => `${typeof nodeRequest(context)} ${typeof nodeResponse(context)}`),
  ),
  connection: pipe(
    path('/connection'),
    get(),
    produces(text),
    handle(() =>
      pipe(
        ok('sent'),
        withHeader('Connection', 'close'),
        withHeader('Keep-Alive', 'timeout=5'),
        withHeader('Proxy-Connection', 'close'),
        withHeader('Upgrade', 'h2c'),
        withHeader('X-Kept', 'yes'),
      ),
    ),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(text),
    produces(text),
    handle(({ body: sent }) => sent),
  ),
})

const pseudo = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders => ({
  ':path': '/headers',
  ...headers,
})

describe('HTTP/2 requests', (test) => {
  table(
    test,
    [
      ['a path that is not declared', { ':path': '/missing' }, 404],
      [
        'the absolute form of a target',
        { ':path': 'http://a.example/headers', ':scheme': 'ftp' },
        400,
      ],
      ['an invalid path', { ':path': '/a^b' }, 400],
      ['OPTIONS *', { ':method': 'OPTIONS', ':path': '*' }, 204],
      ['* with GET', { ':path': '*', ':scheme': 'ftp' }, 400],
      ['an unknown method', { ':method': 'BREW' }, 501],
      ['user information in :authority', { ':authority': 'user@a.example' }, 400],
      ['Host that differs from :authority', { ':authority': 'a.example', host: 'b.example' }, 400],
      ['Host that equals :authority', { ':authority': 'a.example', host: 'A.example' }, 200],
      ['an unknown expectation', { expect: 'magic' }, 417],
      ['a path that is too long', { ':path': `/headers?${'a'.repeat(8192)}` }, 414],
      ['a header that is too long', { 'x-long': 'a'.repeat(16 * 1024) }, 431],
      [
        'too many headers',
        Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`x-${i}`, ''])),
        431,
      ],
    ] as const,
    (_, headers, status) =>
      withSession(api, async (session) => {
        const received = await exchange(session, pseudo(headers))
        assert.is(received.status, status)
        // the connection stays open
        const next = await exchange(session, pseudo({}))
        assert.is(next.status, 200)
      }),
  )

  test('CONNECT is rejected with 405', () =>
    withSession(api, async (session) => {
      const { status } = await exchange(session, { ':method': 'CONNECT', ':authority': 'a:443' })
      assert.is(status, 405)
    }))

  test('a header section above twice the limits resets the stream', () =>
    withSession(api, async (session) => {
      // the limit applies once the client has acknowledged it
      await exchange(session, pseudo({}))
      const stream = session.request({ ':path': '/headers', 'x-long': 'a'.repeat(62 * 1024) })
      assert.is(await closeCode(stream), constants.NGHTTP2_ENHANCE_YOUR_CALM)
      assert.is((await exchange(session, pseudo({}))).status, 200)
    }))

  test('handlers receive Host, one Cookie and repeated headers', () =>
    withSession(api, async (session) => {
      const { body: received } = await exchange(session, {
        ':path': '/headers',
        ':authority': 'a.example',
        cookie: ['a=1', 'b=2'],
        'x-list': ['1', '2'],
      })
      assert.is(received, 'host: a.example\ncookie: a=1; b=2\nx-list: 1 and 2')
    }))

  test('nodeRequest and nodeResponse are undefined', () =>
    withSession(api, async (session) => {
      const { body: received } = await exchange(session, { ':path': '/node' })
      assert.is(received, 'undefined undefined')
    }))

  test('headers of the connection are not sent', () =>
    withSession(api, async (session) => {
      const { headers } = await exchange(session, { ':path': '/connection' })
      assert.equal(Object.keys(headers).toSorted(), [
        ':status',
        'content-length',
        'content-type',
        'date',
        'x-kept',
      ])
    }))

  test('100 is sent when the body is read', () =>
    withSession(api, async (session) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/echo',
        'content-type': 'text/plain',
        expect: '100-continue',
      })
      await once(stream, 'continue')
      stream.end('sent')
      const [headers] = (await once(stream, 'response')) as [{ readonly ':status': number }]
      assert.is(headers[':status'], 200)
    }))

  test('100 is not sent if the request is rejected before its body', () =>
    withSession(api, async (session) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/echo',
        'content-type': 'application/x-unknown',
        expect: '100-continue',
      })
      let continues = 0
      stream.on('continue', () => continues++)
      const [headers] = (await once(stream, 'response')) as [{ readonly ':status': number }]
      assert.equal([headers[':status'], continues], [415, 0])
    }))

  test('forwarded headers of a trusted proxy are used', () =>
    withSession(
      api,
      async (session) => {
        const { body: received } = await exchange(session, {
          ':path': '/where',
          'x-forwarded-for': '203.0.113.9',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'public.example',
        })
        assert.is(received, 'https://public.example/where true 203.0.113.9 no certificate')
      },
      { 'fw.http.proxy.trusted': '127.0.0.1' },
    ))

  test('a host that is not allowed receives 421', () =>
    withSession(
      api,
      async (session) => {
        assert.is((await exchange(session, pseudo({ ':authority': 'b.example' }))).status, 421)
        assert.is((await exchange(session, pseudo({ ':authority': 'a.example' }))).status, 200)
      },
      { 'fw.http.allowed-hosts': 'a.example' },
    ))

  test('requests are written to the access log', async () => {
    const recorder = createRecorder()
    await withSession(
      pipe(api, withFilter(accessLog())),
      async (session) => void (await exchange(session, pseudo({}))),
      { logger: recorder.logger },
    )
    const [line, ...others] = recorder.lines.filter(({ members }) => 'status' in members)
    assert.equal([line?.members['status'], others.length], [200, 0])
  })
})

describe('HTTP/2 with prior knowledge', (test) => {
  test('HTTP/1.1 and HTTP/2 share the port', () =>
    withSession(api, async (session, { url }) => {
      assert.is((await exchange(session, pseudo({}))).status, 200)
      assert.is((await fetch(`${url}/headers`)).status, 200)
    }))

  test('the preface may arrive byte by byte', () =>
    withSession(api, async (_, { url }) => {
      const { hostname, port } = new URL(url)
      const socket = connectSocket(Number(port), hostname)
      for (const byte of 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') {
        socket.write(byte)
        await new Promise(setImmediate)
      }
      socket.write(Buffer.alloc(9).fill(4, 3, 4))
      const [chunk] = (await once(socket, 'data')) as [Buffer]
      // the first frame of the server is SETTINGS
      assert.is(chunk[3], 4)
      socket.destroy()
    }))

  test('a request that begins like the preface is served with HTTP/1.1', () =>
    withSession(api, async (_, { url }) => {
      const { hostname, port } = new URL(url)
      const socket = connectSocket(Number(port), hostname)
      socket.write('PR')
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.write('OPFIND /headers HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n')
      const chunks: Buffer[] = await socket.toArray()
      assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 501 /)
    }))

  test('a connection with part of the preface is closed after the header timeout', () =>
    withSession(
      api,
      async (_, { url }) => {
        const { hostname, port } = new URL(url)
        const socket = connectSocket(Number(port), hostname)
        socket.write('PRI *')
        await once(socket.resume(), 'close')
      },
      { 'fw.http.header-timeout': 50 },
    ))

  test('without the setting, the preface is not a valid request', async () => {
    const server = await serveLocally(api)
    const { hostname, port } = new URL(server.url)
    const socket = connectSocket(Number(port), hostname)
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    assert.match(await readAll(socket), /^HTTP\/1\.1 400 /)
    await server.close()
  })
})

describeWith('HTTP/2 over TLS', 'openssl', hasOpenSsl, (test) => {
  const folder = createCertificateFolder()
  const authority = folder.authority('ca')
  const own = folder.issue(authority, 'server', { names: 'DNS:localhost,IP:127.0.0.1' })
  const clientPaths = folder.issue(authority, 'client', { subject: '/CN=alice' })
  const ca = readFileSync(authority.certificate)
  const tls = { ...tlsOptions(own), 'fw.http.insecure-requests': 'disabled' } as const

  const negotiated = async (url: string, protocols: ReadonlyArray<string>) => {
    const { port } = new URL(url)
    const socket = connectTls({
      host: '127.0.0.1',
      port: Number(port),
      servername: 'localhost',
      ca,
      ALPNProtocols: [...protocols],
    })
    await once(socket, 'secureConnect')
    socket.destroy()
    return socket.alpnProtocol
  }

  test('is selected by ALPN if it is on', async () => {
    const server = await serveLocally(api, { ...tls, 'fw.http.http2': true })
    assert.is(await negotiated(server.url, ['http/1.1', 'h2']), 'h2')
    assert.is(await negotiated(server.url, ['http/1.1']), 'http/1.1')
    await server.close()
  })

  test('is not selected if it is off', async () => {
    const server = await serveLocally(api, { ...tls, 'fw.http.http2': false })
    assert.is(await negotiated(server.url, ['h2', 'http/1.1']), 'http/1.1')
    await server.close()
  })

  test('requests have the scheme https and the certificate of the client', async () => {
    const server = await serveLocally(api, {
      ...tls,
      'fw.http.http2': true,
      'fw.http.ssl.client-auth': 'required',
      'fw.http.ssl.certificate.trust-store-files': authority.certificate,
    })
    const { port } = new URL(server.url)
    const url = `https://localhost:${port}`
    const session = await openSession(url, { ca, ...withCertificate(clientPaths) })
    const { body: received } = await exchange(session, { ':path': '/where' })
    assert.is(received, `${url}/where true 127.0.0.1 alice`)
    session.destroy()
    await server.close()
  })

  test('prior knowledge on the redirected clear-text port receives 308', async () => {
    const server = await serveLocally(api, {
      ...tlsOptions(own),
      'fw.http.http2-clear-text': true,
      'fw.http.insecure-requests': 'redirect',
    })
    const clear = server.urls.find((url) => url.startsWith('http:')) ?? ''
    const session = await openSession(clear)
    const { status, headers } = await exchange(session, { ':path': '/where' })
    assert.is(status, 308)
    assert.match(headers.location ?? '', /^https:\/\/127\.0\.0\.1:\d+\/where$/)
    session.destroy()
    await server.close()
  })
})
