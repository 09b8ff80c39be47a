/** Response bodies in the body memory of a server, over sockets. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import {
  KiB,
  MiB,
  fill,
  last,
  limit,
  posting,
  statusOf,
  unread,
  using,
  x,
} from '../../support/buffering.ts'
import { describe } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { to } from '../../support/raw.ts'
import { recorder } from '../../support/recorder.ts'
import { until } from '../../support/workers.ts'

const largeLimit = { 'fw.http.limits.max-buffered-size': '48M' }

describe('fw.http.limits.max-buffered-size: response bodies', (test) => {
  const kinds: ReadonlyArray<readonly [kind: string, target: string]> = [
    ['text', '/large/20480'],
    ['a tagged body', '/tagged/20480'],
  ]
  for (const [kind, target] of kinds)
    test(`${kind}: those that no client reads are held up to the limit, and then rejected`, () =>
      using(largeLimit, async (server) => {
        const first = await unread(server, last(`GET ${target}`))
        await until(() => server.bufferedBytes === 20 * MiB)
        const second = await unread(server, to(`GET ${target}`))
        await until(() => server.bufferedBytes === 40 * MiB)
        const third = await connectTo(server.url)
        third.write(to(`GET ${target}`))
        const rejected = await third.next()
        assert.equal([rejected.status, fieldOf(rejected, 'retry-after')], [503, '1'])
        assert.is(await statusOf(server, posting('/text', 'text/plain', x(9 * MiB))), 503)
        third.write(to('GET /alive'))
        assert.is((await third.next()).content, 'alive')
        assert.ok((await first.read()).length > 20 * MiB)
        second.leave()
        await until(() => server.bufferedBytes === 0)
        const fourth = await unread(server, last(`GET ${target}`))
        assert.ok((await fourth.read()).length > 20 * MiB)
        first.leave()
        third.leave()
      }))

  test('HEAD is served, and small responses that the socket takes', () =>
    using(largeLimit, async (server) => {
      const all = [
        await unread(server, to('GET /large/20480')),
        await unread(server, to('GET /large/20480')),
      ]
      await until(() => server.bufferedBytes === 40 * MiB)
      const finish = await fill(server, 8 * MiB)
      const connection = await connectTo(server.url)
      connection.write(to('HEAD /large/20480'))
      assert.is((await connection.next('HEAD')).status, 200)
      connection.write(to('GET /large/16'))
      assert.is((await connection.next()).status, 200)
      connection.write(to('GET /large/17'))
      assert.is((await connection.next()).status, 503)
      connection.write(to('GET /chunks/1'))
      assert.is((await connection.next()).status, 503)
      await finish()
      for (const one of [...all, connection]) one.leave()
    }))

  test('pipelined responses that wait for their turn count', () =>
    using({ 'fw.http.limits.max-buffered-size': '12M' }, async (server) => {
      let most = 0
      const connection = await unread(server, to('GET /large/60').repeat(400) + last('GET /alive'))
      await until(() => {
        most = Math.max(most, server.bufferedBytes)
        return most > 4 * MiB
      })
      await wait(50)
      assert.ok(most <= 12 * MiB, `${most}`)
      const statuses = (await connection.read()).toString('latin1').match(/HTTP\/1\.1 \d+/g) ?? []
      assert.equal([...new Set(statuses)], ['HTTP/1.1 200', 'HTTP/1.1 503'])
      assert.is(statuses.length, 401)
      connection.leave()
    }))

  test('chunks of a stream that wait for the client count', () =>
    using({}, async (server) => {
      const connection = await unread(server, to('GET /chunks/1000'))
      await until(() => server.bufferedBytes === 64 * KiB)
      connection.leave()
      await until(() => server.bufferedBytes === 0)
    }))

  test('the client that disconnects gives its response back', () =>
    using(largeLimit, async (server) => {
      for (const target of ['/large/20480', '/tagged/20480', '/chunks/1000']) {
        const connection = await unread(server, to(`GET ${target}`))
        await until(() => server.bufferedBytes > 0)
        connection.leave()
        await until(() => server.bufferedBytes === 0)
      }
    }))

  test('a response that is read is not counted', () =>
    using({}, async (server) => {
      const connection = await connectTo(server.url)
      for (let index = 0; index < 20; index++) {
        connection.write(to('GET /large/50'))
        assert.is((await connection.next()).status, 200)
      }
      assert.is(server.bufferedBytes, 0)
      connection.leave()
    }))

  test('bodies that wait to be compressed count', () =>
    using({ ...largeLimit, 'fw.http.enable-compression': true }, async (server) => {
      const fields = 'Accept-Encoding: gzip'
      const all = await Promise.all(
        Array.from({ length: 8 }, () => unread(server, to('GET /compressed/4096', fields))),
      )
      await until(() => server.bufferedBytes > 4 * MiB)
      await until(() => server.bufferedBytes === 0)
      for (const connection of all) connection.leave()
    }))
})

describe('fw.http.limits.max-buffered-size: the log', (test) => {
  test('a warning is logged once while bodies are rejected', async () => {
    const { logger, told } = recorder()
    await using({ logger }, async (server) => {
      const finish = await fill(server, limit)
      for (let index = 0; index < 5; index++)
        assert.is(await statusOf(server, posting('/text', 'text/plain', 'xx')), 503)
      await finish()
    })
    assert.equal(
      told('warn').map(({ members }) => members),
      [{ category: 'server', buffered: limit, limit }],
    )
  })
  test('unbounded admits everything', () =>
    using(
      { 'fw.http.limits.max-buffered-size': 'unbounded', logger: silentLogger },
      async (server) => {
        const finish = await fill(server, 2 * MiB)
        assert.is(await statusOf(server, posting('/text', 'text/plain', x(2 * MiB))), 200)
        await finish()
      },
    ))
})
