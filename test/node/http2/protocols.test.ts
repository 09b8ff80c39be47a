/** The choice between HTTP/1.1 and HTTP/2: prior knowledge on the clear-text port, and ALPN on the TLS port. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describe, describeWith } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { tlsOptions, withCertificate } from '../tls/clients.ts'
import { exchange, openSession, withSession } from './client.ts'
import { api } from './requests-api.ts'
import { turns } from '../../support/wait-until.ts'

const entryPoint = (name: string): string =>
  new URL(`../../../src/${name}.js`, import.meta.url).href

describe('HTTP/2 with prior knowledge', (test) => {
  for (const connection of ['node', 'direct'] as const)
    test(`HTTP/1.1 and HTTP/2 share the port, ${connection}`, () =>
      withSession(
        api,
        async (session, { url }) => {
          assert.is((await exchange(session, { ':path': '/headers' })).status, 200)
          for (let n = 0; n < 3; n++) assert.is((await fetch(`${url}/headers`)).status, 200)
        },
        { 'fw.http.connection': connection },
      ))

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
      await once(socket, 'connect')
      await turns()
      socket.write('OPFIND /headers HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n')
      const chunks: Buffer[] = await socket.toArray()
      assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 501 /)
    }))

  for (const line of ['INVALID CONNECTION PREFACE', 'GET /', 'GET / HTTP/2.0'])
    test(`${JSON.stringify(line)} is closed without a response`, () =>
      withSession(api, async (_, { url }) => {
        const { hostname, port } = new URL(url)
        const socket = connectSocket(Number(port), hostname)
        socket.write(`${line}\r\n\r\n`)
        assert.equal(await socket.toArray(), [])
      }))

  for (const [first, rest] of [
    ['GET / HTTP/1.1\r\n', '\r\n'],
    ['GET /', ' HTTP/1.1\r\n\r\n'],
    ['\r\n', 'GET / HTTP/1.1\r\n\r\n'],
  ] as const)
    test(`a request without Host that begins with ${JSON.stringify(first)} receives a response`, () =>
      withSession(api, async (_, { url }) => {
        const { hostname, port } = new URL(url)
        const socket = connectSocket(Number(port), hostname)
        socket.write(first)
        await once(socket, 'connect')
        await turns()
        socket.end(rest)
        assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 400 /)
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

  test('without HTTP/2, its modules are not loaded', async () => {
    const program = `
      const { get, handle, path, routes } = await import('${entryPoint('index')}')
      const { serve } = await import('${entryPoint('node')}')
      const { get: send } = await import('node:http')
      const { once } = await import('node:events')
      const options = { 'fw.http.port': 0, 'fw.shutdown.grace': 0, signals: false, 'fw.log.level': 'off' }
      const isLoaded = () => process.moduleLoadList.includes('NativeModule internal/http2/core')
      // from Node.js 22 on, node:http loads it
      const isAlwaysLoaded = isLoaded()
      console.log(isAlwaysLoaded)
      const start = async (more) => {
        const endpoint = handle(() => {})(get()(path('/')))
        const server = await serve(routes({ endpoint }), { ...options, ...more })
        const [response] = await once(send(server.url), 'response')
        await once(response.resume(), 'end')
        console.log(response.statusCode, isLoaded() && !isAlwaysLoaded)
        await server.close()
      }
      await start({})
      await start({ 'fw.http.http2-clear-text': true })`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
    ])
    const [isAlwaysLoaded, ...lines] = stdout.trim().split('\n')
    assert.equal(lines, ['204 false', `204 ${isAlwaysLoaded === 'false'}`])
  })

  test('without the setting, the preface is rejected as an unsupported version', async () => {
    const server = await serveLocally(api)
    try {
      const { hostname, port } = new URL(server.url)
      const socket = connectSocket(Number(port), hostname)
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
      assert.match(await readAll(socket), /^HTTP\/1\.1 505 /)
    } finally {
      await server.close()
    }
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
