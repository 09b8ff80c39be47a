/** How connections are made is said to the dispatcher of `fetch` and of `undici`: that it can be, and that it counts. */
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

const contentAt = async ({ passage }: OpenTransport, url: string): Promise<string> =>
  readText(expectResponse(await passage(requestTo(url))()).body)

const own = certificate()
const version: RequestListener = ({ httpVersion }, response) => void response.end(httpVersion)

for (const [name, open] of transports)
  describe(`the connections of a client, over ${name}`, (test) => {
    test('R-449: no more connections than there may be, and they are kept', () =>
      whileListening(
        createServer((_, response) => void setTimeout(() => response.end('ok'), 5)),
        async ({ port, made }) => {
          const way = open(new Agent({ connections: 2, keepAliveTimeout: 60_000 }))
          const calls = Array.from({ length: 10 }, () => contentAt(way, `http://localhost:${port}`))
          assert.equal(new Set(await Promise.all(calls)), new Set(['ok']))
          assert.is(made(), 2)
          await way.close()
        },
      ))
    test('R-449: those that nobody uses are kept so long', () => {
      const server = createServer({ keepAliveTimeout: 60_000 }, (_, response) => response.end('ok'))
      const came = once(server, 'connection')
      return whileListening(server, async ({ port, made }) => {
        const way = open(
          new Agent({ connections: 1, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 }),
        )
        await contentAt(way, `http://localhost:${port}`)
        await contentAt(way, `http://localhost:${port}`)
        assert.is(made(), 1)
        const [socket] = (await came) as [Socket]
        if (!socket.closed) await once(socket, 'close')
        await contentAt(way, `http://localhost:${port}`)
        assert.is(made(), 2)
        await way.close()
      })
    })
    test('R-450: TLS, with an authority of one’s own and without', () =>
      whileListening(createTlsServer(own, version), async ({ port }) => {
        const url = `https://localhost:${port}`
        const stranger = open()
        const failure = expectError(await stranger.passage(requestTo(url))())
        assert.is(failure._tag, 'NetworkError')
        assert.match(failure.message, /self-signed/)
        await stranger.close()
        const friend = open(new Agent({ connect: { ca: own.cert } }))
        assert.is(await contentAt(friend, url), '1.1')
        await friend.close()
      }))
    test('R-450: HTTP/2, where the service speaks it', () =>
      whileListening(
        createSecureServer({ ...own, allowHTTP1: true }, version as never),
        async ({ port }) => {
          const way = open(new Agent({ allowH2: true, connect: { ca: own.cert } }))
          assert.is(await contentAt(way, `https://localhost:${port}`), '2.0')
          await way.close()
        },
      ))
    test('R-450: through a proxy, with credentials for it alone', () =>
      withService(
        (response, { headers }) => void response.end(String(headers['proxy-authorization'])),
        async ({ url }) => {
          const asked: unknown[] = []
          const proxy = createServer()
          proxy.on('connect', ({ url: to, headers }, socket: Socket) => {
            asked.push([to, headers['proxy-authorization']])
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
            assert.is(await contentAt(way, 'http://books.test/'), 'undefined')
            assert.equal(asked, [['books.test:80', 'Basic YTpi']])
            await way.close()
          })
        },
      ))
    test('R-450: a socket of the file system', () => {
      const socketPath = join(newFolder(), 'socket')
      return whileListening(
        createServer(version),
        async () => {
          const way = open(new Pool('http://localhost', { socketPath }))
          assert.is(await contentAt(way, 'http://localhost/'), '1.1')
          await way.close()
        },
        socketPath,
      )
    })
    test('R-446: how long it connects', () =>
      // it listens, and says nothing: no handshake comes to its end
      whileListening(createTcpServer(), async ({ port }) => {
        const way = open(new Agent({ connect: { timeout: 100 } }))
        const began = performance.now()
        const failure = expectError(await way.passage(requestTo(`https://localhost:${port}`))())
        assert.is(failure._tag, 'NetworkError')
        assert.match(failure.message, /connect timeout/i)
        assert.ok(performance.now() - began < 10_000)
        await way.close()
      }))
    test('R-446: nobody is there', async () => {
      const way = open()
      assert.is(outcomeName(await way.passage(requestTo(await abandoned()))()), 'NetworkError')
      await way.close()
    })
  })
