/** Tests of response bodies in the body memory of a server, over sockets. */
import * as assert from 'uvu/assert'
import { pipe } from 'fp-ts/lib/function.js'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { byteStream, get, handle, path, produces, routes } from '../../../src/index.ts'
import { api } from '../../programs/buffering-api.ts'
import {
  KiB,
  MiB,
  fill,
  closingRequest,
  limit,
  postRequest,
  statusOf,
  sendUnread,
  withBufferingServer,
  x,
} from './buffering.ts'
import { describe } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { isDirect, rawRequest } from '../../support/raw.ts'
import { createRecorder } from '../../support/recorder.ts'
import { stable, waitUntil } from '../../support/wait-until.ts'

const largeLimit = { 'fw.http.limits.max-buffered-size': '48M' }

describe('fw.http.limits.max-buffered-size: response bodies', (test) => {
  const kinds: ReadonlyArray<readonly [kind: string, target: string]> = [
    ['text', '/large/20480'],
    ['text with an ETag', '/tagged/20480'],
  ]
  for (const [kind, target] of kinds)
    test(`unread responses are buffered up to the limit and then rejected: ${kind}`, () =>
      withBufferingServer(largeLimit, async (server) => {
        const first = await sendUnread(server, closingRequest(`GET ${target}`))
        await waitUntil(() => server.bufferedBytes === 20 * MiB)
        const second = await sendUnread(server, rawRequest(`GET ${target}`))
        await waitUntil(() => server.bufferedBytes === 40 * MiB)
        // while its ETag is computed, a response is counted, but can still be rejected
        await Promise.all([first.start(), second.start()])
        const third = await connectTo(server.url)
        third.write(rawRequest(`GET ${target}`))
        const rejected = await third.next()
        assert.equal([rejected.status, headerOf(rejected, 'retry-after')], [503, '1'])
        assert.is(await statusOf(server, postRequest('/text', 'text/plain', x(9 * MiB))), 503)
        third.write(rawRequest('GET /alive'))
        assert.is((await third.next()).body, 'alive')
        assert.ok((await first.read()).length > 20 * MiB)
        second.destroy()
        await waitUntil(() => server.bufferedBytes === 0)
        const fourth = await sendUnread(server, closingRequest(`GET ${target}`))
        assert.ok((await fourth.read()).length > 20 * MiB)
        first.destroy()
        third.destroy()
      }))

  test('HEAD and responses that fit into the socket buffer are served above the limit', () =>
    withBufferingServer(largeLimit, async (server) => {
      const all = [
        await sendUnread(server, rawRequest('GET /large/20480')),
        await sendUnread(server, rawRequest('GET /large/20480')),
      ]
      await waitUntil(() => server.bufferedBytes === 40 * MiB)
      const finish = await fill(server, 8 * MiB)
      const connection = await connectTo(server.url)
      connection.write(rawRequest('HEAD /large/20480'))
      assert.is((await connection.next('HEAD')).status, 200)
      connection.write(rawRequest('GET /large/16'))
      assert.is((await connection.next()).status, 200)
      connection.write(rawRequest('GET /large/17'))
      assert.is((await connection.next()).status, 503)
      connection.write(rawRequest('GET /chunks/1'))
      assert.is((await connection.next()).status, 503)
      await finish()
      for (const client of [...all, connection]) client.destroy()
    }))

  test('pipelined responses that wait for earlier ones count', () =>
    withBufferingServer({ 'fw.http.limits.max-buffered-size': '12M' }, async (server) => {
      let maximum = 0
      const connection = await sendUnread(
        server,
        rawRequest('GET /large/60').repeat(400) + closingRequest('GET /alive'),
      )
      await waitUntil(() => {
        maximum = Math.max(maximum, server.bufferedBytes)
        return maximum > (isDirect ? 0 : 4 * MiB)
      })
      await stable(() => (maximum = Math.max(maximum, server.bufferedBytes)))
      assert.ok(maximum <= 12 * MiB, `${maximum}`)
      const statuses = (await connection.read()).toString('latin1').match(/HTTP\/1\.1 \d+/g) ?? []
      // direct connections process no further requests while responses wait for the client
      const expected = isDirect ? ['HTTP/1.1 200'] : ['HTTP/1.1 200', 'HTTP/1.1 503']
      assert.equal([...new Set(statuses)], expected)
      assert.is(statuses.length, 401)
      connection.destroy()
    }))

  test('chunks of a stream that wait for the client count', () =>
    withBufferingServer({}, async (server) => {
      const connection = await sendUnread(server, rawRequest('GET /chunks/1000'))
      await waitUntil(() => server.bufferedBytes === 64 * KiB)
      connection.destroy()
      await waitUntil(() => server.bufferedBytes === 0)
    }))

  test('a rejected stream is closed', async () => {
    let closed = 0
    const chunks: AsyncIterableIterator<Uint8Array> = {
      [Symbol.asyncIterator]: () => chunks,
      next: async () => ({ done: false, value: Buffer.from('a') }),
      return: async () => {
        closed++
        return { done: true, value: undefined }
      },
    }
    const closable = pipe(
      path('/closable'),
      get(),
      produces(byteStream),
      handle(() => chunks),
    )
    await withBufferingServer(
      {},
      async (server) => {
        const finish = await fill(server, limit)
        assert.is(await statusOf(server, rawRequest('GET /closable')), 503)
        assert.is(closed, 1)
        await finish()
      },
      routes({ api, closable }),
    )
  })

  test('a disconnect releases the response', () =>
    withBufferingServer(largeLimit, async (server) => {
      for (const target of ['/large/20480', '/tagged/20480', '/chunks/1000']) {
        const connection = await sendUnread(server, rawRequest(`GET ${target}`))
        await waitUntil(() => server.bufferedBytes > 0)
        connection.destroy()
        await waitUntil(() => server.bufferedBytes === 0)
      }
    }))

  test('a response that is read is not counted', () =>
    withBufferingServer({}, async (server) => {
      const connection = await connectTo(server.url)
      for (let index = 0; index < 20; index++) {
        connection.write(rawRequest('GET /large/50'))
        assert.is((await connection.next()).status, 200)
      }
      assert.is(server.bufferedBytes, 0)
      connection.destroy()
    }))

  test('bodies that wait for compression count', () =>
    withBufferingServer({ ...largeLimit, 'fw.http.enable-compression': true }, async (server) => {
      const accept = 'Accept-Encoding: gzip'
      const all = await Promise.all(
        Array.from({ length: 8 }, () =>
          sendUnread(server, rawRequest('GET /compressed/4096', accept)),
        ),
      )
      await waitUntil(() => server.bufferedBytes > 4 * MiB)
      await waitUntil(() => server.bufferedBytes === 0)
      for (const connection of all) connection.destroy()
    }))
})

describe('fw.http.limits.max-buffered-size: the log', (test) => {
  test('a warning is logged once while bodies are rejected', async () => {
    const { logger, linesAt } = createRecorder()
    await withBufferingServer({ logger }, async (server) => {
      const finish = await fill(server, limit)
      for (let index = 0; index < 5; index++)
        assert.is(await statusOf(server, postRequest('/text', 'text/plain', 'xx')), 503)
      await finish()
    })
    assert.equal(
      linesAt('warn').map(({ members }) => members),
      [{ category: 'server', buffered: limit, limit }],
    )
  })
  test('the value unbounded admits all bodies', () =>
    withBufferingServer(
      { 'fw.http.limits.max-buffered-size': 'unbounded', logger: silentLogger },
      async (server) => {
        const finish = await fill(server, 2 * MiB)
        assert.is(await statusOf(server, postRequest('/text', 'text/plain', x(2 * MiB))), 200)
        await finish()
      },
    ))
})
