/** Compressed request bodies over sockets. */
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import {
  body,
  bytes,
  handle,
  path,
  post,
  prefix,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import { pipe } from 'fp-ts/lib/function.js'
import type { Server } from '../../../src/node.ts'
import { describe, concurrentTable, table } from '../../support/describe.ts'
import { api as incomingApi } from '../../programs/incoming-api.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, chunkedRequest, requestWithBody, rawRequest } from '../../support/raw.ts'
import { recordLog } from '../../support/workers.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const coding = 'Content-Encoding: gzip'
const expectContinue = 'Expect: 100-continue'
const compressed = gzipSync('abc').toString('latin1')
/** A compressed body of which the first half decompresses to several bytes. */
const compressedLarge = gzipSync(
  Buffer.from(Array.from({ length: 30_000 }, (_, n) => n * n).join('')),
)
const half = compressedLarge.subarray(0, compressedLarge.length / 2).toString('latin1')

const whole = pipe(
  path('/whole'),
  post(),
  body(bytes),
  produces(text),
  handle((input) => String(input.body.length)),
)

describe('compressed request bodies over sockets', (test, { before, after }) => {
  const { lines, logger } = recordLog()
  let server: Server
  before(async () => {
    server = await serveLocally(routes({ whole, chunks: pipe(incomingApi, prefix('/chunks')) }), {
      logger,
      'fw.http.enable-decompression': true,
      'fw.http.read-timeout': 1000,
    })
  })
  after(() => server.close())

  concurrentTable(
    test,
    { before },
    [
      ['/whole: a slow client results in 408', '/whole'],
      ['/chunks/all: a slow client results in 408', '/chunks/all'],
    ] as const,
    async (_, target) => {
      const connection = await connectTo(server.url)
      connection.write(rawRequest(`POST ${target}`, coding, 'Content-Length: 500000') + half)
      assertResponse(await connection.next(), 408)
      await connection.closed()
    },
  )
  for (const target of ['/whole', '/chunks/all']) {
    table(
      test,
      [
        [
          `${target}: a body with a length is decompressed`,
          requestWithBody(`POST ${target}`, compressed, coding),
        ],
        [
          `${target}: a chunked body is decompressed`,
          chunkedRequest(`POST ${target}`, compressed.split(''), coding),
        ],
      ],
      async (_, request) => {
        const connection = await connectTo(server.url)
        connection.write(request + request)
        assertResponse(await connection.next(), [200, '3'])
        assertResponse(await connection.next(), [200, '3'])
        connection.destroy()
      },
    )
    test(`${target}: 100 (Continue) is sent when the body is read`, async () => {
      const connection = await connectTo(server.url)
      connection.write(
        rawRequest(
          `POST ${target}`,
          coding,
          expectContinue,
          `Content-Length: ${compressed.length}`,
        ),
      )
      assertResponse(await connection.next(), 100)
      connection.write(compressed)
      assertResponse(await connection.next(), [200, '3'])
      connection.destroy()
    })
    test(`${target}: malformed data results in 400 and keeps the connection open`, async () => {
      const connection = await connectTo(server.url)
      connection.write(requestWithBody(`POST ${target}`, 'hunter2', coding))
      assertResponse(await connection.next(), [400, /malformed compressed data/])
      connection.write(requestWithBody(`POST ${target}`, compressed, coding))
      assertResponse(await connection.next(), [200, '3'])
      connection.destroy()
    })
    test(`${target}: a disconnect logs no internal error`, async () => {
      lines.length = 0
      for (const close of ['end', 'resetAndDestroy'] as const) {
        const connection = await connectTo(server.url)
        connection.write(rawRequest(`POST ${target}`, coding, 'Content-Length: 500000') + half)
        await turns()
        connection.socket[close]()
        await waitUntil(() => connection.socket.closed)
        await turns()
      }
      assert.equal(
        lines.filter((line) => line.startsWith('error')),
        [],
      )
    })
  }

  table(
    test,
    [
      ['100 (Continue) is not sent if the body is not read', '/chunks/none', coding, [200, 'none']],
      ['100 (Continue) is not sent if the request is rejected', '/chunks/rejects', coding, 401],
      ['100 (Continue) is not sent for two content codings', '/whole', `${coding}, br`, 415],
    ] as const,
    async (_, target, header, expected) => {
      const connection = await connectTo(server.url)
      connection.write(
        rawRequest(
          `POST ${target}`,
          header,
          expectContinue,
          `Content-Length: ${compressed.length}`,
        ),
      )
      assertResponse(await connection.next(), expected)
      connection.destroy()
    },
  )
})
