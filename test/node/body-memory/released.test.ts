/** Tests of the release of body memory over sockets. */
import * as assert from 'uvu/assert'
import { api, blockingApi, bufferingModule } from '../../programs/buffering-api.ts'
import {
  KiB,
  sendPartially,
  chunkedPostRequest,
  limit,
  postRequest,
  statusOf,
  withBufferingServer,
  x,
  plain,
} from './buffering.ts'
import { describe } from '../../support/describe.ts'
import { createGate } from '../../support/gate.ts'
import { serveLocally } from '../../support/loopback.ts'
import { multipartType } from '../../support/multipart.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

describe('fw.http.limits.max-buffered-size: released memory', (test) => {
  test('the body of a request is released when its handler is done', () =>
    withBufferingServer({}, async (server) => {
      const gate = createGate()
      const connection = await connectTo(server.url)
      connection.write(
        postRequest(`/text?gate=${encodeURIComponent(gate.name)}`, 'text/plain', x(limit)),
      )
      await waitUntil(() => gate.isReached())
      assert.is(server.bufferedBytes, limit)
      assert.is(await statusOf(server, postRequest('/text', 'text/plain', 'x')), 503)
      gate.open()
      assert.is((await connection.next()).status, 200)
      connection.destroy()
    }))

  test('the body of a disconnected client is released when the handler is done', () =>
    withBufferingServer({}, async (server) => {
      const gate = createGate()
      const connection = await connectTo(server.url)
      connection.write(
        postRequest(`/text?gate=${encodeURIComponent(gate.name)}`, 'text/plain', x(limit)),
      )
      await waitUntil(() => gate.isReached())
      connection.destroy()
      await turns()
      assert.is(server.bufferedBytes, limit)
      gate.open()
    }))

  test('an incomplete body is released when the client disconnects', () =>
    withBufferingServer({}, async (server) => {
      for (const framing of [`Content-Length: ${limit}`, 'Transfer-Encoding: chunked']) {
        const connection = await connectTo(server.url)
        connection.write(rawRequest('POST /text', framing, ...plain) + `80000\r\n${x(512 * KiB)}`)
        await waitUntil(() => server.bufferedBytes >= 512 * KiB)
        connection.destroy()
        await waitUntil(() => server.bufferedBytes === 0)
      }
    }))

  test('an incomplete body is released after fw.http.read-timeout', () =>
    withBufferingServer(
      { 'fw.http.read-timeout': 300, 'fw.http.header-timeout': 300 },
      async (server) => {
        const connection = await sendPartially(server, '/text', limit, limit / 2)
        assert.is((await connection.next()).status, 408)
        await waitUntil(() => server.bufferedBytes === 0)
        connection.destroy()
      },
    ))

  test('the body of a request with an error response is released', () =>
    withBufferingServer({ 'fw.http.limits.max-body-size': '64K' }, async (server) => {
      assert.is(await statusOf(server, chunkedPostRequest('/text', x(50_000), x(50_000))), 413)
      assert.is(
        await statusOf(
          server,
          rawRequest('POST /text', ...plain, 'Transfer-Encoding: chunked') + '5\r\nxxxxx\r\nz\r\n',
        ),
        400,
      )
      assert.is(await statusOf(server, postRequest('/fails', 'text/plain', x(1000))), 500)
      assert.is(await statusOf(server, postRequest('/json', 'application/json', x(1000))), 400)
      assert.is(await statusOf(server, postRequest('/upload', multipartType, x(1000))), 400)
    }))

  test('the body of a handler that never ends is released after the handler timeout', () =>
    withBufferingServer({ 'fw.http.handler-timeout': 100 }, async (server) => {
      assert.is(await statusOf(server, postRequest('/never', 'text/plain', x(1000))), 503)
    }))

  test('an echoed body is released', () =>
    withBufferingServer({}, async (server) => {
      const headers = { 'Content-Type': 'application/octet-stream' }
      const init = { method: 'POST', headers, body: x(600 * KiB) }
      const response = await fetch(`${server.url}/relay`, init)
      assert.is((await response.text()).length, 600 * KiB)
      const connection = await connectTo(server.url)
      connection.write(
        rawRequest('POST /relay', 'Content-Type: application/octet-stream', 'Content-Length: 100') +
          'x',
      )
      await connection.readable()
      connection.destroy()
    }))

  test('the bodies of open connections are released when the server closes', async () => {
    const server = await serveLocally(api, {
      'fw.http.limits.max-buffered-size': limit,
      'fw.http.limits.max-parsed-body-size': '64M',
      'fw.shutdown.timeout': 100,
    })
    const connection = await sendPartially(server, '/text', limit, limit / 2)
    await waitUntil(() => server.bufferedBytes >= limit / 2)
    await server.close()
    await waitUntil(() => server.bufferedBytes === 0)
    connection.destroy()
  })
})

describe('fw.http.limits.max-buffered-size: workers', (test) => {
  const settings = { 'fw.worker.threads': 1, module: bufferingModule, export: 'blockingApi' }
  test('a body for a worker counts until its response is sent', () =>
    withBufferingServer(
      settings,
      async (server) => {
        const gate = createGate()
        const connection = await connectTo(server.url)
        const target = `/worker?gate=${encodeURIComponent(gate.name)}`
        connection.write(postRequest(target, 'text/plain', x(limit)))
        await waitUntil(() => gate.isReached())
        assert.is(server.bufferedBytes, limit)
        assert.is(await statusOf(server, postRequest('/worker', 'text/plain', 'x')), 503)
        gate.open()
        assert.is((await connection.next()).status, 200)
        assert.is(await statusOf(server, postRequest('/worker', 'text/plain', x(limit))), 200)
        connection.destroy()
      },
      blockingApi,
    ))
})
