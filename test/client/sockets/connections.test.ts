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
import { expectError, requestTo, expectResponse, readText, statusOrTag } from '../fake-transport.ts'
import { certificate } from './certificate.ts'
import { describeConcurrently } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import type { OpenTransport } from './scripted-service.ts'
import { withService, transports } from './scripted-service.ts'
import { unusedUrl, withServer } from '../../support/while-listening.ts'

const bodyOf = async ({ passage }: OpenTransport, url: string): Promise<string> =>
  readText(expectResponse(await passage(requestTo(url))()).body)

const selfSigned = certificate()
const version: RequestListener = ({ httpVersion }, response) => void response.end(httpVersion)

for (const [name, open] of transports)
  describeConcurrently(`connections of a client over ${name}`, (test) => {
    test('connections limits the number of connections, which are reused', () =>
      withServer(
        createServer((_, response) => void setImmediate(() => response.end('ok'))),
        async ({ port, connectionCount }) => {
          const transport = open(new Agent({ connections: 2, keepAliveTimeout: 60_000 }))
          const calls = Array.from({ length: 10 }, () =>
            bodyOf(transport, `http://localhost:${port}`),
          )
          assert.equal(new Set(await Promise.all(calls)), new Set(['ok']))
          assert.is(connectionCount(), 2)
          await transport.close()
        },
      ))
    test('keepAliveTimeout closes idle connections', () => {
      const server = createServer({ keepAliveTimeout: 60_000 }, (_, response) => response.end('ok'))
      const connected = once(server, 'connection')
      return withServer(server, async ({ port, connectionCount }) => {
        const transport = open(
          new Agent({ connections: 1, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 }),
        )
        await bodyOf(transport, `http://localhost:${port}`)
        await bodyOf(transport, `http://localhost:${port}`)
        assert.is(connectionCount(), 1)
        const [socket] = (await connected) as [Socket]
        if (!socket.closed) await once(socket, 'close')
        await bodyOf(transport, `http://localhost:${port}`)
        assert.is(connectionCount(), 2)
        await transport.close()
      })
    })
    test('ca sets the trusted certificate of TLS connections', () =>
      withServer(createTlsServer(selfSigned, version), async ({ port }) => {
        const url = `https://localhost:${port}`
        const untrusting = open()
        const failure = expectError(await untrusting.passage(requestTo(url))())
        assert.is(failure._tag, 'NetworkError')
        assert.match(failure.message, /self-signed/)
        await untrusting.close()
        const trusting = open(new Agent({ connect: { ca: selfSigned.cert } }))
        assert.is(await bodyOf(trusting, url), '1.1')
        await trusting.close()
      }))
    test('allowH2 uses HTTP/2 if the service supports it', () =>
      withServer(
        createSecureServer({ ...selfSigned, allowHTTP1: true }, version as never),
        async ({ port }) => {
          const transport = open(new Agent({ allowH2: true, connect: { ca: selfSigned.cert } }))
          assert.is(await bodyOf(transport, `https://localhost:${port}`), '2.0')
          await transport.close()
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
            const upstream = connect(Number(port), '127.0.0.1', () => {
              socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
              upstream.pipe(socket).pipe(upstream)
            })
            upstream.on('error', () => socket.destroy())
          })
          await withServer(proxy, async ({ port }) => {
            const transport = open(
              new ProxyAgent({
                uri: `http://localhost:${port}`,
                token: 'Basic YTpi',
                proxyTunnel: true,
              }),
            )
            assert.is(await bodyOf(transport, 'http://books.test/'), 'undefined')
            assert.equal(connectRequests, [['books.test:80', 'Basic YTpi']])
            await transport.close()
          })
        },
      ))
    test('socketPath connects to a Unix domain socket', () => {
      const socketPath = join(newFolder(), 'socket')
      return withServer(
        createServer(version),
        async () => {
          const transport = open(new Pool('http://localhost', { socketPath }))
          assert.is(await bodyOf(transport, 'http://localhost/'), '1.1')
          await transport.close()
        },
        socketPath,
      )
    })
    test('connect.timeout limits the time to connect', () =>
      // the server accepts connections but never completes a TLS handshake
      withServer(createTcpServer(), async ({ port }) => {
        const transport = open(new Agent({ connect: { timeout: 100 } }))
        const began = performance.now()
        const failure = expectError(
          await transport.passage(requestTo(`https://localhost:${port}`))(),
        )
        assert.is(failure._tag, 'NetworkError')
        assert.match(failure.message, /connect timeout/i)
        assert.ok(performance.now() - began < 10_000)
        await transport.close()
      }))
    test('a failed connection results in NetworkError', async () => {
      const transport = open()
      assert.is(
        statusOrTag(await transport.passage(requestTo(await unusedUrl()))()),
        'NetworkError',
      )
      await transport.close()
    })
  })
