/** The release of body memory over sockets. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { api, blockingApi, bufferingModule } from '../../support/buffering-api.ts'
import {
  KiB,
  half,
  inChunks,
  limit,
  posting,
  statusOf,
  using,
  x,
  plain,
} from '../../support/buffering.ts'
import { describe } from '../../support/describe.ts'
import { newGate } from '../../support/gate.ts'
import { onLoopback } from '../../support/loopback.ts'
import { multipart } from '../../support/multipart.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { to } from '../../support/raw.ts'
import { until } from '../../support/workers.ts'

describe('fw.http.limits.max-buffered-size: released memory', (test) => {
  test('a body that a handler works on, when it is done', () =>
    using({}, async (server) => {
      const gate = newGate()
      const connection = await connectTo(server.url)
      connection.write(
        posting(`/text?gate=${encodeURIComponent(gate.name)}`, 'text/plain', x(limit)),
      )
      await until(() => gate.isReached())
      assert.is(server.bufferedBytes, limit)
      assert.is(await statusOf(server, posting('/text', 'text/plain', 'x')), 503)
      gate.open()
      assert.is((await connection.next()).status, 200)
      connection.leave()
    }))

  test('a body that a handler works on although its client has disconnected, when it is done', () =>
    using({}, async (server) => {
      const gate = newGate()
      const connection = await connectTo(server.url)
      connection.write(
        posting(`/text?gate=${encodeURIComponent(gate.name)}`, 'text/plain', x(limit)),
      )
      await until(() => gate.isReached())
      connection.leave()
      await wait(100)
      assert.is(server.bufferedBytes, limit)
      gate.open()
    }))

  test('a half-sent body, when its client disconnects', () =>
    using({}, async (server) => {
      for (const fields of [`Content-Length: ${limit}`, 'Transfer-Encoding: chunked']) {
        const connection = await connectTo(server.url)
        connection.write(to('POST /text', fields, ...plain) + `80000\r\n${x(512 * KiB)}`)
        await until(() => server.bufferedBytes >= 512 * KiB)
        connection.leave()
        await until(() => server.bufferedBytes === 0)
      }
    }))

  test('a half-sent body that comes too slowly', () =>
    using({ 'fw.http.read-timeout': 300, 'fw.http.header-timeout': 300 }, async (server) => {
      const connection = await half(server, '/text', limit, limit / 2)
      assert.is((await connection.next()).status, 408)
      await until(() => server.bufferedBytes === 0)
      connection.leave()
    }))

  test('a body that is too large, or broken, or ends in an error', () =>
    using({ 'fw.http.limits.max-body-size': '64K' }, async (server) => {
      assert.is(await statusOf(server, inChunks('/text', x(50_000), x(50_000))), 413)
      assert.is(
        await statusOf(
          server,
          to('POST /text', ...plain, 'Transfer-Encoding: chunked') + '5\r\nxxxxx\r\nz\r\n',
        ),
        400,
      )
      assert.is(await statusOf(server, posting('/fails', 'text/plain', x(1000))), 500)
      assert.is(await statusOf(server, posting('/json', 'application/json', x(1000))), 400)
      assert.is(await statusOf(server, posting('/upload', multipart, x(1000))), 400)
    }))

  test('a body whose handler never ends, when it has timed out', () =>
    using({ 'fw.http.handler-timeout': 100 }, async (server) => {
      assert.is(await statusOf(server, posting('/never', 'text/plain', x(1000))), 503)
    }))

  test('a body whose response is a stream of itself', () =>
    using({}, async (server) => {
      const headers = { 'Content-Type': 'application/octet-stream' }
      const whole = { method: 'POST', headers, body: x(600 * KiB) }
      const response = await fetch(`${server.url}/relay`, whole)
      assert.is((await response.text()).length, 600 * KiB)
      const connection = await connectTo(server.url)
      connection.write(
        to('POST /relay', 'Content-Type: application/octet-stream', 'Content-Length: 100') + 'x',
      )
      await connection.stirred()
      connection.leave()
    }))

  test('open connections, when the server closes', async () => {
    const server = await onLoopback(api, {
      'fw.http.limits.max-buffered-size': limit,
      'fw.shutdown.timeout': 100,
    })
    const connection = await half(server, '/text', limit, limit / 2)
    await until(() => server.bufferedBytes >= limit / 2)
    await server.close()
    await until(() => server.bufferedBytes === 0)
    connection.leave()
  })
})

describe('fw.http.limits.max-buffered-size: workers', (test) => {
  const settings = { 'fw.worker.threads': 1, module: bufferingModule, export: 'blockingApi' }
  test('a body for a worker counts until its response is sent', () =>
    using(
      settings,
      async (server) => {
        const gate = newGate()
        const connection = await connectTo(server.url)
        const target = `/worker?gate=${encodeURIComponent(gate.name)}`
        connection.write(posting(target, 'text/plain', x(limit)))
        await until(() => gate.isReached())
        assert.is(server.bufferedBytes, limit)
        assert.is(await statusOf(server, posting('/worker', 'text/plain', 'x')), 503)
        gate.open()
        assert.is((await connection.next()).status, 200)
        assert.is(await statusOf(server, posting('/worker', 'text/plain', x(limit))), 200)
        connection.leave()
      },
      blockingApi,
    ))
})
