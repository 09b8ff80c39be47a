/** Compressed request bodies over sockets. */
import { setTimeout as wait } from 'node:timers/promises'
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
import { describe, sideBySide, table } from '../../support/describe.ts'
import { api as inPieces } from '../../support/incoming-api.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, chunked, sending, to } from '../../support/raw.ts'
import { kept } from '../../support/workers.ts'

const coding = 'Content-Encoding: gzip'
const continues = 'Expect: 100-continue'
const coded = gzipSync('abc').toString('latin1')
/** A part of it decodes to something. */
const long = gzipSync(Buffer.from(Array.from({ length: 30_000 }, (_, n) => n * n).join('')))
const half = long.subarray(0, long.length / 2).toString('latin1')

const whole = pipe(
  path('/whole'),
  post(),
  body(bytes),
  produces(text),
  handle((input) => String(input.body.length)),
)

describe('Coded contents, on the wire', (test, { before, after }) => {
  const { lines, logger } = kept()
  let server: Server
  before(async () => {
    server = await onLoopback(routes({ whole, pieces: pipe(inPieces, prefix('/pieces')) }), {
      logger,
      'fw.http.enable-decompression': true,
      'fw.http.read-timeout': 1000,
    })
  })
  after(() => server.close())

  sideBySide(
    test,
    { before },
    [
      ['/whole: a client that is too slow', '/whole'],
      ['/pieces/all: a client that is too slow', '/pieces/all'],
    ] as const,
    async (_, target) => {
      const connection = await connectTo(server.url)
      connection.write(to(`POST ${target}`, coding, 'Content-Length: 1000000') + half)
      check(await connection.next(), 408)
      await connection.closed()
    },
  )
  for (const target of ['/whole', '/pieces/all']) {
    table(
      test,
      [
        [`${target}: with a length`, sending(`POST ${target}`, coded, coding)],
        [`${target}: in chunks`, chunked(`POST ${target}`, coded.split(''), coding)],
      ],
      async (_, request) => {
        const connection = await connectTo(server.url)
        connection.write(request + request)
        check(await connection.next(), [200, '3'])
        check(await connection.next(), [200, '3'])
        connection.leave()
      },
    )
    test(`${target}: 100 is sent when the body is read`, async () => {
      const connection = await connectTo(server.url)
      connection.write(to(`POST ${target}`, coding, continues, `Content-Length: ${coded.length}`))
      check(await connection.next(), 100)
      connection.write(coded)
      check(await connection.next(), [200, '3'])
      connection.leave()
    })
    test(`${target}: malformed data returns 400, and the connection is kept`, async () => {
      const connection = await connectTo(server.url)
      connection.write(sending(`POST ${target}`, 'hunter2', coding))
      check(await connection.next(), [400, /malformed content coding/])
      connection.write(sending(`POST ${target}`, coded, coding))
      check(await connection.next(), [200, '3'])
      connection.leave()
    })
    test(`${target}: a disconnect logs no internal error`, async () => {
      lines.length = 0
      for (const leave of ['end', 'resetAndDestroy'] as const) {
        const connection = await connectTo(server.url)
        connection.write(to(`POST ${target}`, coding, 'Content-Length: 1000000') + half)
        await wait(30)
        connection.socket[leave]()
        await wait(30)
        connection.leave()
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
      ['100 is not sent if the body is not read', '/pieces/none', coding, [200, 'none']],
      ['100 is not sent if the request is rejected', '/pieces/refuses', coding, 401],
      ['100 is not sent for two content codings', '/whole', `${coding}, br`, 415],
    ] as const,
    async (_, target, field, answer) => {
      const connection = await connectTo(server.url)
      connection.write(to(`POST ${target}`, field, continues, `Content-Length: ${coded.length}`))
      check(await connection.next(), answer)
      connection.leave()
    },
  )
})
