/** Clients that send a request body too slowly. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  byteStream,
  bytes,
  handle,
  path,
  post,
  produces,
  requestFilter,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { gracePeriod, createRateCheck } from '../../../src/node/connection/body-rate.ts'
import { describe, sideBySide, table } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, to } from '../../support/raw.ts'

/** What is seen in each look: milliseconds since the one before, octets since the one before, and who waits. */
type Look = readonly [after: number, octets: number, isAwaitingBody?: boolean]

const looks = (count: number, ...look: Look): ReadonlyArray<Look> => Array(count).fill(look)

/** The look, from 1, at which a client is found to be too slow at 1000 octets per second; 0 for never. */
const foundAt = (all: ReadonlyArray<Look>, state = { complete: false, headersSent: false }) => {
  const isSlow = createRateCheck(1000)
  const request = { complete: state.complete, isAwaitingBody: true }
  const response = { headersSent: state.headersSent }
  const connection = { bytesRead: 500 }
  let now = 10_000
  return (
    all.findIndex(([after, octets, isAwaitingBody = true]) => {
      now += after
      connection.bytesRead += octets
      request.isAwaitingBody = isAwaitingBody
      return isSlow({ request, response }, connection.bytesRead, now, connection.bytesRead - octets)
    }) + 1
  )
}

describe('createRateCheck', (test) => {
  table<readonly [title: string, looks: ReadonlyArray<Look>, found: number]>(
    test,
    [
      ['too slow after the grace', looks(10, 1000, 700), 6],
      ['nothing at all', looks(10, 1000, 0), 6],
      ['not within the grace', looks(5, 1000, 0), 0],
      ['fast enough', looks(100, 1000, 1000), 0],
      ['too slow in the end', looks(2000, 1000, 999), 1001],
      ['ten times as fast', looks(100, 1000, 10_000), 0],
      ['in bursts', Array.from({ length: 100 }, (_, n): Look => [1000, n % 5 === 0 ? 6000 : 0]), 0],
      ['fast, and then not at all', [[0, 0], [1000, 20_000], ...looks(100, 1000, 0)], 22],
      ['kept waiting by the server', looks(100, 1000, 0, false), 0],
      [
        'kept waiting now and then',
        Array.from({ length: 100 }, (_, n): Look => [1000, 0, n % 2 === 0]),
        0,
      ],
      // the loop was held; of each of these times, 5 seconds count
      [
        'not looked at for a minute',
        [
          [0, 0],
          [60_000, 5000],
          [60_000, 5000],
        ],
        0,
      ],
    ],
    (_, all, found) => assert.is(foundAt(all), found),
  )
  test('a complete request, or one with a response, is never slow', () => {
    assert.is(foundAt(looks(100, 1000, 0), { complete: true, headersSent: false }), 0)
    assert.is(foundAt(looks(100, 1000, 0), { complete: false, headersSent: true }), 0)
  })
})

const api = routes({
  whole: pipe(
    path('/whole'),
    post(),
    body(bytes),
    produces(text),
    handle((input) => String(input.body.length)),
  ),
  pieces: pipe(
    path('/pieces'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let octets = 0
      for await (const piece of input.body) octets += piece.length
      return String(octets)
    }),
  ),
  /** Takes nothing for longer than the grace. */
  late: pipe(
    routes({
      one: pipe(
        path('/late'),
        post(),
        body(bytes),
        produces(text),
        handle((input) => String(input.body.length)),
      ),
    }),
    withFilter(requestFilter(() => wait(1.4 * gracePeriod, undefined))),
  ),
})

type Row = readonly [
  title: string,
  target: string,
  piece: number,
  pause: number,
  status: number,
  rate?: number,
]
const rows: ReadonlyArray<Row> = [
  ['a content that drips is refused, and its connection closed', '/whole', 20, 200, 408],
  ['and one that is taken in pieces', '/pieces', 20, 200, 408],
  ['one of 10 KB per second is not', '/whole', 1000, 100, 200],
  ['nor in pieces', '/pieces', 1000, 100, 200],
  ['nor one that the server keeps waiting', '/late', 20, 200, 200],
  ['nor any where there is no limit', '/whole', 20, 200, 200, 0],
]

describe('fw.http.limits.min-body-rate', (test, { before, after }) => {
  const servers: Array<{ readonly close: () => Promise<void> }> = []
  after(async () => {
    for (const server of servers) await server.close()
  })

  sideBySide<Row>(test, { before }, rows, async (_, target, piece, pause, status, rate) => {
    const server = await onLoopback(api, {
      ...(rate === undefined ? {} : { 'fw.http.limits.min-body-rate': rate }),
      'fw.shutdown.timeout': 0,
    })
    servers.push(server)
    const connection = await connectTo(server.url)
    try {
      // one that is refused goes on until it is
      const pieces = Math.ceil(((status === 408 ? 2.5 : 1.6) * gracePeriod) / pause)
      connection.write(to(`POST ${target}`, `Content-Length: ${pieces * piece}`))
      const dripping = new AbortController()
      const drip = async (): Promise<void> => {
        for (let sent = 0; sent < pieces && !dripping.signal.aborted; sent++) {
          connection.write('x'.repeat(piece))
          await wait(pause)
        }
      }
      const begun = performance.now()
      const dripped = drip()
      const answer = await connection.next()
      const took = performance.now() - begun
      dripping.abort()
      await dripped
      if (status === 408) {
        check(answer, [408, /"status":408/, { connection: 'close' }])
        assert.ok(took >= gracePeriod, `after ${took} ms`)
        connection.socket.end()
        await connection.closed()
      } else check(answer, [200, String(pieces * piece)])
    } finally {
      connection.leave()
    }
  })
})
