/** Tests of `fw.http.limits.min-body-rate`: clients that send a request body too slowly. */
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
import { gracePeriod, createRateCheck } from '../../../src/node/connection/slow-connections.ts'
import { describe, concurrentTable, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'

/** A check of a connection: milliseconds and bytes since the previous check, and whether the server waits for the body. */
type Check = readonly [elapsed: number, bytes: number, isAwaitingBody?: boolean]

const checks = (count: number, ...check: Check): ReadonlyArray<Check> => Array(count).fill(check)

/** Returns the number of the check that finds a client too slow for 1000 bytes per second; 0 if none does. */
const foundAt = (
  sequence: ReadonlyArray<Check>,
  state = { isReceived: false, hasResponded: false },
) => {
  const isSlow = createRateCheck(1000)
  const request = { ...state, isAwaitingBody: true }
  const connection = { bytesRead: 500 }
  let now = 10_000
  return (
    sequence.findIndex(([elapsed, increment, isAwaitingBody = true]) => {
      now += elapsed
      connection.bytesRead += increment
      request.isAwaitingBody = isAwaitingBody
      return isSlow(request, connection.bytesRead, now, connection.bytesRead - increment)
    }) + 1
  )
}

describe('createRateCheck', (test) => {
  table<readonly [title: string, sequence: ReadonlyArray<Check>, found: number]>(
    test,
    [
      ['too slow after the grace period', checks(10, 1000, 700), 6],
      ['no bytes', checks(10, 1000, 0), 6],
      ['no bytes within the grace period', checks(5, 1000, 0), 0],
      ['fast enough', checks(100, 1000, 1000), 0],
      ['slightly too slow', checks(2000, 1000, 999), 1001],
      ['ten times as fast', checks(100, 1000, 10_000), 0],
      [
        'in bursts',
        Array.from({ length: 100 }, (_, n): Check => [1000, n % 5 === 0 ? 6000 : 0]),
        0,
      ],
      ['fast, then no bytes', [[0, 0], [1000, 20_000], ...checks(100, 1000, 0)], 22],
      ['no bytes while the server does not read', checks(100, 1000, 0, false), 0],
      [
        'no bytes while the server reads every other second',
        Array.from({ length: 100 }, (_, n): Check => [1000, 0, n % 2 === 0]),
        0,
      ],
      // the event loop was blocked; at most 5 seconds of each interval count
      [
        'no check for a minute',
        [
          [0, 0],
          [60_000, 5000],
          [60_000, 5000],
        ],
        0,
      ],
    ],
    (_, sequence, found) => assert.is(foundAt(sequence), found),
  )
  test('a complete request or a request with a response is never too slow', () => {
    assert.is(foundAt(checks(100, 1000, 0), { isReceived: true, hasResponded: false }), 0)
    assert.is(foundAt(checks(100, 1000, 0), { isReceived: false, hasResponded: true }), 0)
  })
})

const api = routes({
  buffered: pipe(
    path('/buffered'),
    post(),
    body(bytes),
    produces(text),
    handle((input) => String(input.body.length)),
  ),
  streamed: pipe(
    path('/streamed'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let size = 0
      for await (const chunk of input.body) size += chunk.length
      return String(size)
    }),
  ),
  /** Reads nothing for longer than the grace period. */
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
  chunkSize: number,
  pause: number,
  status: number,
  rate?: number,
]
const rows: ReadonlyArray<Row> = [
  ['a slow buffered body returns 408 and closes the connection', '/buffered', 20, 200, 408],
  ['a slow streamed body returns 408 and closes the connection', '/streamed', 20, 200, 408],
  ['a buffered body with 10 kB per second returns 200', '/buffered', 1000, 100, 200],
  ['a streamed body with 10 kB per second returns 200', '/streamed', 1000, 100, 200],
  ['a slow body that the server does not read yet returns 200', '/late', 20, 200, 200],
  ['a slow body without a limit returns 200', '/buffered', 20, 200, 200, 0],
]

describe('fw.http.limits.min-body-rate', (test, { before, after }) => {
  const servers: Array<{ readonly close: () => Promise<void> }> = []
  after(async () => {
    for (const server of servers) await server.close()
  })

  concurrentTable<Row>(
    test,
    { before },
    rows,
    async (_, target, chunkSize, pause, status, rate) => {
      const server = await serveLocally(api, {
        ...(rate === undefined ? {} : { 'fw.http.limits.min-body-rate': rate }),
        'fw.shutdown.timeout': 0,
      })
      servers.push(server)
      const connection = await connectTo(server.url)
      try {
        // a rejected client sends until it is rejected
        const chunkCount = Math.ceil(((status === 408 ? 2.5 : 1.6) * gracePeriod) / pause)
        connection.write(rawRequest(`POST ${target}`, `Content-Length: ${chunkCount * chunkSize}`))
        const sending = new AbortController()
        const sendSlowly = async (): Promise<void> => {
          for (let index = 0; index < chunkCount && !sending.signal.aborted; index++) {
            connection.write('x'.repeat(chunkSize))
            await wait(pause)
          }
        }
        const start = performance.now()
        const sent = sendSlowly()
        const response = await connection.next()
        const duration = performance.now() - start
        sending.abort()
        await sent
        if (status === 408) {
          assertResponse(response, [408, /"status":408/, { connection: 'close' }])
          assert.ok(duration >= gracePeriod, `after ${duration} ms`)
          connection.socket.end()
          await connection.closed()
        } else assertResponse(response, [200, String(chunkCount * chunkSize)])
      } finally {
        connection.destroy()
      }
    },
  )
})
