/** Tests that options of undici dispatchers, which configure connections, take effect with both transports. */
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { connect, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { Agent, Pool, ProxyAgent } from 'undici'
import {
  expectError,
  requestTo,
  expectResponse,
  readText,
  outcomeName,
} from '../../support/fake-transport.ts'
import { certificate } from '../../support/certificate.ts'
import { describe } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import type { OpenTransport } from '../../support/scripted-service.ts'
import { withService, transports } from '../../support/scripted-service.ts'
import { abandoned, whileListening } from '../../support/while-listening.ts'

const bodyOf = async ({ passage }: OpenTransport, url: string): Promise<string> =>
  readText(expectResponse(await passage(requestTo(url))()).body)

const own = certificate()
const version: RequestListener = ({ httpVersion }, response) => void response.end(httpVersion)

for (const [name, open] of transports)
  describe(`connections of a client over ${name}`, (test) => {
    test('connections limits the number of connections, which are reused', () =>
      whileListening(
        createServer((_, response) => void setTimeout(() => response.end('ok'), 5)),
        async ({ port, made }) => {
          const way = open(new Agent({ connections: 2, keepAliveTimeout: 60_000 }))
          const calls = Array.from({ length: 10 }, () => bodyOf(way, `http://localhost:${port}`))
          assert.equal(new Set(await Promise.all(calls)), new Set(['ok']))
          assert.is(made(), 2)
          await way.close()
        },
      ))
    test('keepAliveTimeout closes idle connections', () => {
      const server = createServer({ keepAliveTimeout: 60_000 }, (_, response) => response.end('ok'))
      const came = once(server, 'connection')
      return whileListening(server, async ({ port, made }) => {
        const way = open(
          new Agent({ connections: 1, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 }),
        )
        await bodyOf(way, `http://localhost:${port}`)
        await bodyOf(way, `http://localhost:${port}`)
        assert.is(made(), 1)
        const [socket] = (await came) as [Socket]
        if (!socket.closed) await once(socket, 'close')
        await bodyOf(way, `http://localhost:${port}`)
        assert.is(made(), 2)
        await way.close()
      })
    })
    test('ca sets the trusted certificate of TLS connections', () =>
      whileListening(createTlsServer(own, version), async ({ port }) => {
        const url = `https://localhost:${port}`
        const untrusting = open()
        const failure = expectError(await untrusting.passage(requestTo(url))())
        assert.is(failure._tag, 'NetworkError')
        assert.match(failure.message, /self-signed/)
        await untrusting.close()
        const trusting = open(new Agent({ connect: { ca: own.cert } }))
        assert.is(await bodyOf(trusting, url), '1.1')
        await trusting.close()
      }))
    test('allowH2 uses HTTP/2 if the service supports it', () =>
      whileListening(
        createSecureServer({ ...own, allowHTTP1: true }, version as never),
        async ({ port }) => {
          const way = open(new Agent({ allowH2: true, connect: { ca: own.cert } }))
          assert.is(await bodyOf(way, `https://localhost:${port}`), '2.0')
          await way.close()
        },
      ))
    test('ProxyAgent sends its credentials only to the proxy', () =>
      withService(
        (response, { headers }) => void response.end(String(headers['proxy-authorization'])),
        async ({ url }) => {
          const connectRequests: unknown[] = []
          const proxy = createServer()
          proxy.on('connect', ({ url: to, headers }, socket: Socket) => {
            connectRequests.push([to, headers['proxy-authorization']])
            const { port } = new URL(url)
            const there = connect(Number(port), '127.0.0.1', () => {
              socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
              there.pipe(socket).pipe(there)
            })
            there.on('error', () => socket.destroy())
          })
          await whileListening(proxy, async ({ port }) => {
            const way = open(
              new ProxyAgent({
                uri: `http://localhost:${port}`,
                token: 'Basic YTpi',
                proxyTunnel: true,
              }),
            )
            assert.is(await bodyOf(way, 'http://books.test/'), 'undefined')
            assert.equal(connectRequests, [['books.test:80', 'Basic YTpi']])
            await way.close()
          })
        },
      ))
    test('socketPath connects to a Unix domain socket', () => {
      const socketPath = join(newFolder(), 'socket')
      return whileListening(
        createServer(version),
        async () => {
          const way = open(new Pool('http://localhost', { socketPath }))
          assert.is(await bodyOf(way, 'http://localhost/'), '1.1')
          await way.close()
        },
        socketPath,
      )
    })
    test('connect.timeout limits the time to connect', () =>
      // the server accepts connections but never completes a TLS handshake
      whileListening(createTcpServer(), async ({ port }) => {
        const way = open(new Agent({ connect: { timeout: 100 } }))
        const began = performance.now()
        const failure = expectError(await way.passage(requestTo(`https://localhost:${port}`))())
        assert.is(failure._tag, 'NetworkError')
        assert.match(failure.message, /connect timeout/i)
        assert.ok(performance.now() - began < 10_000)
        await way.close()
      }))
    test('a failed connection results in NetworkError', async () => {
      const way = open()
      assert.is(outcomeName(await way.passage(requestTo(await abandoned()))()), 'NetworkError')
      await way.close()
    })
  })
