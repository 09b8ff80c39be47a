/** Tests of request bodies in the body memory of a server, over sockets. */
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import type { ServeOptions } from '../../../src/node.ts'
import {
  KiB,
  fill,
  sendPartially,
  chunkedPostRequest,
  limit,
  postRequest,
  statusOf,
  withBufferingServer,
  x,
  plain,
} from './buffering.ts'
import { describe, table } from '../../support/describe.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { rawRequest } from '../../support/raw.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

type Row = readonly [kind: string, request: string]

const zipped = gzipSync(x(40_000)).toString('latin1')
const partOf = (size: number): string => encodeMultipart(encodePart('a', x(size)))
const fileOf = (size: number): string =>
  encodeMultipart(encodePart('a', x(size), { fileName: 'a.bin' }))

describe('fw.http.limits.max-buffered-size: request bodies', (test) => {
  test('incomplete bodies above the limit are rejected, and admitted ones are completed', () =>
    withBufferingServer({}, async (server) => {
      const finish = [await fill(server, 400 * KiB), await fill(server, 600 * KiB)]
      const connection = await sendPartially(server, '/text', 100 * KiB, 0)
      const rejected = await connection.next()
      assert.is(rejected.status, 503)
      assert.is(headerOf(rejected, 'retry-after'), '1')
      assert.is(headerOf(rejected, 'content-type'), 'application/problem+json')
      assert.match(rejected.body, /fw\.http\.limits\.max-buffered-size/)
      for (const complete of finish) await complete()
      await waitUntil(() => server.bufferedBytes === 0)
      // the connection of the rejected request can be used again
      connection.write(x(100 * KiB) + postRequest('/text', 'text/plain', x(100)))
      assert.is((await connection.next()).body, '100')
      connection.destroy()
    }))

  const bodies: ReadonlyArray<Row> = [
    ['JSON', postRequest('/json', 'application/json', `"${x(40_000)}"`)],
    ['text', postRequest('/text', 'text/plain', x(40_000))],
    ['text in chunks', chunkedPostRequest('/text', x(20_000), x(20_000))],
    ['text in small chunks', chunkedPostRequest('/text', ...Array.from(x(40_000)))],
    ['bytes', postRequest('/bytes', 'application/octet-stream', x(40_000))],
    [
      'URL-encoded parameters',
      postRequest('/fields', 'application/x-www-form-urlencoded', `a=${x(40_000)}`),
    ],
    [
      'a URL-encoded map',
      postRequest('/map', 'application/x-www-form-urlencoded', `a=${x(40_000)}`),
    ],
    ['XML', postRequest('/xml', 'application/xml', `<doc><a>${x(40_000)}</a></doc>`)],
    ['a representation of the application', postRequest('/lines', 'text/x-lines', x(40_000))],
    ['decompressed text', postRequest('/text', 'text/plain', zipped, 'Content-Encoding: gzip')],
    ['parameters of a multipart form', postRequest('/fields', multipartType, partOf(40_000))],
    ['a part of a multipart form', postRequest('/parts', multipartType, partOf(40_000))],
    ['a value of a multipart body', postRequest('/input', multipartType, partOf(40_000))],
  ]
  const settings: ServeOptions = {
    'fw.http.enable-decompression': true,
    'fw.http.body.multipart.file-size-threshold': '64K',
  }
  table<Row>(test, bodies, (_, request) =>
    withBufferingServer(settings, async (server) => {
      assert.is(await statusOf(server, request), 200)
      await waitUntil(() => server.bufferedBytes === 0)
      const finish = await fill(server, limit - 30_000)
      assert.is(await statusOf(server, request), 503)
      await waitUntil(() => server.bufferedBytes === limit - 30_000)
      await finish()
      assert.is(await statusOf(server, request), 200)
    }),
  )

  const files: ReadonlyArray<Row> = [
    ['an uploaded file', postRequest('/upload', multipartType, fileOf(400_000))],
    ['a file below the threshold', postRequest('/input', multipartType, fileOf(40_000))],
    ['a file above the threshold', postRequest('/input', multipartType, fileOf(400_000))],
    ['a body in a file', postRequest('/file', 'application/octet-stream', x(400_000))],
    ['a byte stream', postRequest('/stream', 'application/octet-stream', x(400_000))],
  ]
  table<Row>(
    test,
    files.map(
      ([kind, request]) =>
        [`${kind} is written to a file or streamed while little memory is free`, request] as const,
    ),
    (_, request) =>
      withBufferingServer(settings, async (server) => {
        const finish = await fill(server, limit - 30_000)
        assert.is(await statusOf(server, request), 200)
        await finish()
      }),
  )
  table<Row>(
    test,
    files.map(([kind, request]) => [`${kind} is rejected without a free byte`, request] as const),
    (_, request) =>
      withBufferingServer(settings, async (server) => {
        const finish = await fill(server, limit)
        assert.is(await statusOf(server, request), 503)
        await finish()
      }),
  )

  test('a client that waits for 100 Continue is rejected at once, and the connection is closed', () =>
    withBufferingServer({}, async (server) => {
      const finish = await fill(server, 1000 * KiB)
      const connection = await sendPartially(server, '/text', 100 * KiB, 0, 'Expect: 100-continue')
      const [response, ...others] = await connection.rest()
      assert.equal([response?.status, others.length], [503, 0])
      await finish()
    }))

  test('a chunked body above the limit is rejected, and the connection is closed', () =>
    withBufferingServer({}, async (server) => {
      const finish = await fill(server, 900 * KiB)
      const connection = await connectTo(server.url)
      connection.write(rawRequest('POST /text', ...plain, 'Transfer-Encoding: chunked'))
      connection.write(`32000\r\n${x(0x32000)}\r\n`)
      const response = await connection.next()
      assert.equal([response.status, headerOf(response, 'connection')], [503, 'close'])
      connection.write('0\r\n\r\n')
      await connection.closed()
      await waitUntil(() => server.bufferedBytes === 900 * KiB)
      await finish()
    }))

  test('requests without a body, and small bodies, are served up to the limit', () =>
    withBufferingServer({}, async (server) => {
      const finish = await fill(server, limit - 100)
      assert.is(await statusOf(server, rawRequest('GET /alive')), 200)
      assert.is(await statusOf(server, postRequest('/text', 'text/plain', '')), 200)
      assert.is(await statusOf(server, postRequest('/text', 'text/plain', x(100))), 200)
      assert.is(await statusOf(server, chunkedPostRequest('/text', x(50), x(50))), 200)
      assert.is(await statusOf(server, postRequest('/text', 'text/plain', x(101))), 503)
      await finish()
    }))

  test('clients that send no body after its Content-Length do not block others', () =>
    withBufferingServer({}, async (server) => {
      const connections = await Promise.all(
        Array.from({ length: 30 }, () => sendPartially(server, '/text', 500 * KiB, 0)),
      )
      await waitUntil(() => server.bufferedBytes > 0)
      await turns()
      assert.is(await statusOf(server, postRequest('/text', 'text/plain', x(400 * KiB))), 200)
      for (const connection of connections) connection.destroy()
    }))

  test('of sixty concurrent bodies, those within the limit are completed', () =>
    withBufferingServer({}, async (server) => {
      const length = 200 * KiB
      let maximum = 0
      const connections = await Promise.all(Array.from({ length: 60 }, () => connectTo(server.url)))
      const received = connections.map(() => '')
      for (const [index, { socket }] of connections.entries())
        socket.on('data', (chunk) => (received[index] += chunk.toString('latin1')))
      for (let sent = 0; sent < length / 2; sent += 10 * KiB) {
        for (const connection of connections)
          connection.write(
            (sent === 0 ? rawRequest('POST /text', `Content-Length: ${length}`, ...plain) : '') +
              x(10 * KiB),
          )
        await turns(2)
        maximum = Math.max(maximum, server.bufferedBytes)
      }
      const waiting = (): ReadonlyArray<RawConnection> =>
        connections.filter((_, index) => received[index] === '')
      await waitUntil(() => waiting().length <= 5)
      const admitted = waiting()
      assert.ok(maximum <= limit && server.bufferedBytes <= limit, `${maximum}`)
      assert.ok(admitted.length >= 4, `${admitted.length} admitted`)
      assert.ok(received.every((text) => text === '' || text.startsWith('HTTP/1.1 503 ')))
      for (const connection of admitted) {
        connection.write(x(length / 2))
        const { status, body } = await connection.next()
        assert.equal([status, body], [200, String(length)])
      }
      for (const connection of connections) connection.destroy()
    }))
})
