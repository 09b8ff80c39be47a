/** Request bodies in the body memory of a server, over sockets. */
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import type { ServeOptions } from '../../../src/node.ts'
import {
  KiB,
  fill,
  half,
  inChunks,
  limit,
  posting,
  statusOf,
  using,
  x,
  plain,
} from '../../support/buffering.ts'
import { describe, table } from '../../support/describe.ts'
import { field, formOf, multipart } from '../../support/multipart.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { to } from '../../support/raw.ts'
import { until } from '../../support/workers.ts'

type Row = readonly [kind: string, request: string]

const zipped = gzipSync(x(40_000)).toString('latin1')
const partOf = (size: number): string => formOf(field('a', x(size)))
const fileOf = (size: number): string => formOf(field('a', x(size), { fileName: 'a.bin' }))

describe('fw.http.limits.max-buffered-size: request bodies', (test) => {
  test('half-sent bodies beyond it are rejected, and admitted ones are completed', () =>
    using({}, async (server) => {
      const finish = [await fill(server, 400 * KiB), await fill(server, 600 * KiB)]
      const connection = await half(server, '/text', 100 * KiB, 0)
      const rejected = await connection.next()
      assert.is(rejected.status, 503)
      assert.is(fieldOf(rejected, 'retry-after'), '1')
      assert.is(fieldOf(rejected, 'content-type'), 'application/problem+json')
      assert.match(rejected.content, /fw\.http\.limits\.max-buffered-size/)
      for (const one of finish) await one()
      await until(() => server.bufferedBytes === 0)
      // the connection of the rejected request can be used again
      connection.write(x(100 * KiB) + posting('/text', 'text/plain', x(100)))
      assert.is((await connection.next()).content, '100')
      connection.leave()
    }))

  const bodies: ReadonlyArray<Row> = [
    ['JSON', posting('/json', 'application/json', `"${x(40_000)}"`)],
    ['text', posting('/text', 'text/plain', x(40_000))],
    ['text in chunks', inChunks('/text', x(20_000), x(20_000))],
    ['text in small chunks', inChunks('/text', ...Array.from(x(40_000)))],
    ['bytes', posting('/bytes', 'application/octet-stream', x(40_000))],
    [
      'URL-encoded parameters',
      posting('/fields', 'application/x-www-form-urlencoded', `a=${x(40_000)}`),
    ],
    ['a URL-encoded map', posting('/map', 'application/x-www-form-urlencoded', `a=${x(40_000)}`)],
    ['XML', posting('/xml', 'application/xml', `<doc><a>${x(40_000)}</a></doc>`)],
    ['a representation of the application', posting('/lines', 'text/x-lines', x(40_000))],
    ['decompressed text', posting('/text', 'text/plain', zipped, 'Content-Encoding: gzip')],
    ['parameters of a multipart form', posting('/fields', multipart, partOf(40_000))],
    ['a part of a multipart form', posting('/parts', multipart, partOf(40_000))],
    ['a value of a multipart body', posting('/input', multipart, partOf(40_000))],
  ]
  const settings: ServeOptions = {
    'fw.http.enable-decompression': true,
    'fw.http.body.multipart.file-size-threshold': '64K',
  }
  table<Row>(test, bodies, (_, request) =>
    using(settings, async (server) => {
      assert.is(await statusOf(server, request), 200)
      await until(() => server.bufferedBytes === 0)
      const finish = await fill(server, limit - 30_000)
      assert.is(await statusOf(server, request), 503)
      await until(() => server.bufferedBytes === limit - 30_000)
      await finish()
      assert.is(await statusOf(server, request), 200)
    }),
  )

  const files: ReadonlyArray<Row> = [
    ['an uploaded file', posting('/upload', multipart, fileOf(400_000))],
    ['a file below the threshold', posting('/input', multipart, fileOf(40_000))],
    ['a file above the threshold', posting('/input', multipart, fileOf(400_000))],
    ['a body in a file', posting('/file', 'application/octet-stream', x(400_000))],
    ['a byte stream', posting('/stream', 'application/octet-stream', x(400_000))],
  ]
  table<Row>(
    test,
    files.map(
      ([kind, request]) =>
        [`${kind} is written to a file or streamed while little memory is free`, request] as const,
    ),
    (_, request) =>
      using(settings, async (server) => {
        const finish = await fill(server, limit - 30_000)
        assert.is(await statusOf(server, request), 200)
        await finish()
      }),
  )
  table<Row>(
    test,
    files.map(([kind, request]) => [`${kind} is rejected without a free byte`, request] as const),
    (_, request) =>
      using(settings, async (server) => {
        const finish = await fill(server, limit)
        assert.is(await statusOf(server, request), 503)
        await finish()
      }),
  )

  test('a client that waits for 100 Continue is rejected at once, and the connection is closed', () =>
    using({}, async (server) => {
      const finish = await fill(server, 1000 * KiB)
      const connection = await half(server, '/text', 100 * KiB, 0, 'Expect: 100-continue')
      const [response, ...others] = await connection.rest()
      assert.equal([response?.status, others.length], [503, 0])
      await finish()
    }))

  test('a chunked body that outgrows it is rejected, and the connection is closed', () =>
    using({}, async (server) => {
      const finish = await fill(server, 900 * KiB)
      const connection = await connectTo(server.url)
      connection.write(to('POST /text', ...plain, 'Transfer-Encoding: chunked'))
      connection.write(`32000\r\n${x(0x32000)}\r\n`)
      const response = await connection.next()
      assert.equal([response.status, fieldOf(response, 'connection')], [503, 'close'])
      connection.write('0\r\n\r\n')
      await connection.closed()
      await until(() => server.bufferedBytes === 900 * KiB)
      await finish()
    }))

  test('requests without a body, and small bodies, are served up to the limit', () =>
    using({}, async (server) => {
      const finish = await fill(server, limit - 100)
      assert.is(await statusOf(server, to('GET /alive')), 200)
      assert.is(await statusOf(server, posting('/text', 'text/plain', '')), 200)
      assert.is(await statusOf(server, posting('/text', 'text/plain', x(100))), 200)
      assert.is(await statusOf(server, inChunks('/text', x(50), x(50))), 200)
      assert.is(await statusOf(server, posting('/text', 'text/plain', x(101))), 503)
      await finish()
    }))

  test('clients that announce bodies and send nothing do not lock out others', () =>
    using({}, async (server) => {
      const all = await Promise.all(
        Array.from({ length: 30 }, () => half(server, '/text', 500 * KiB, 0)),
      )
      await until(() => server.bufferedBytes > 0)
      await wait(50)
      assert.is(await statusOf(server, posting('/text', 'text/plain', x(400 * KiB))), 200)
      for (const connection of all) connection.leave()
    }))

  test('of sixty bodies that are sent at the same time, as many are completed as fit', () =>
    using({}, async (server) => {
      const length = 200 * KiB
      let most = 0
      const all = await Promise.all(Array.from({ length: 60 }, () => connectTo(server.url)))
      const received = all.map(() => '')
      for (const [index, { socket }] of all.entries())
        socket.on('data', (chunk) => (received[index] += chunk.toString('latin1')))
      for (let sent = 0; sent < length / 2; sent += 10 * KiB) {
        for (const connection of all)
          connection.write(
            (sent === 0 ? to('POST /text', `Content-Length: ${length}`, ...plain) : '') +
              x(10 * KiB),
          )
        await wait(2)
        most = Math.max(most, server.bufferedBytes)
      }
      const waiting = (): ReadonlyArray<RawConnection> =>
        all.filter((_, index) => received[index] === '')
      await until(() => waiting().length <= 5)
      const admitted = waiting()
      assert.ok(most <= limit && server.bufferedBytes <= limit, `${most}`)
      assert.ok(admitted.length >= 4, `${admitted.length} admitted`)
      assert.ok(received.every((one) => one === '' || one.startsWith('HTTP/1.1 503 ')))
      for (const connection of admitted) {
        connection.write(x(length / 2))
        const { status, content } = await connection.next()
        assert.equal([status, content], [200, String(length)])
      }
      for (const connection of all) connection.leave()
    }))
})
