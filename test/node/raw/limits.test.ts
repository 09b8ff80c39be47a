/** Limits of connections, as configured: below, at and above each limit. HTTP/2 is rejected with 505 or 400. */
import { once } from 'node:events'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { describe } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import type { Row } from '../../support/raw.ts'
import { check, chunked, open, raw, sending, shut, start, to } from '../../support/raw.ts'
import { until } from '../../support/workers.ts'

const x = (octets: number): string => 'x'.repeat(octets)

/** A request whose field lines have so many octets together. */
const ofSize = (octets: number): string =>
  to('GET /fields', `X: ${x(octets - 'Host: a.example\r\nX: \r\n'.length)}`)

/** A request whose request line has so many octets. */
const ofLength = (octets: number): string =>
  to(`GET /target?${x(octets - 'GET /target? HTTP/1.1'.length)}`)

const withFields = (count: number): string =>
  to('GET /fields', ...Array.from({ length: count - 1 }, (_, index) => `X-${index}: 1`))

const limits = {
  'fw.http.limits.max-header-size': 500,
  'fw.http.limits.max-header-fields': 10,
  'fw.http.limits.max-initial-line-length': 100,
  'fw.http.limits.max-body-size': 20_000,
} as const

const rows: ReadonlyArray<Row> = [
  ['a header of one octet less', ofSize(499), open(200)],
  ['as many', ofSize(500), open(200)],
  ['one more', ofSize(501), shut(431)],
  ['one field less', withFields(9), open([200, '9 1'])],
  ['as many fields', withFields(10), open([200, '10 1'])],
  ['one more field', withFields(11), shut(431)],
  ['a request line of one octet less', ofLength(99), open(200)],
  ['as many', ofLength(100), open(200)],
  ['one more', ofLength(101), shut(414)],
  ['a content of one octet less', sending('POST /octets', x(19_999)), open([200, '19999'])],
  ['as many', sending('POST /octets', x(20_000)), open([200, '20000'])],
  ['one more, of which none is sent', to('POST /octets', 'Content-Length: 20001'), shut(413)],
  ['one more', sending('POST /octets', x(20_001)), shut(413)],
  ['as many, in chunks', chunked('POST /octets', [x(10_000), x(10_000)]), open([200, '20000'])],
  ['one more, in chunks', chunked('POST /octets', [x(10_000), x(10_001)]), shut(413)],
  // the original hands a chunk on in parts of so many octets; nobody sees that
  ['a chunk of one octet less', chunked('POST /octets', [x(8191)]), open([200, '8191'])],
  ['as many', chunked('POST /octets', [x(8192)]), open([200, '8192'])],
  ['one more is no limit', chunked('POST /octets', [x(8193)]), open([200, '8193'])],
]

raw('limits that settings say', 'RFC 9110, 15.5', rows, limits)

const parsedRows: ReadonlyArray<Row> = [
  ['at the limit', sending('POST /octets', x(1000)), open([200, '1000'])],
  [
    'above the limit, announced and not sent, without 100',
    to('POST /octets', 'Content-Length: 1001', 'Expect: 100-continue'),
    shut([413, /max-parsed-body-size/]),
  ],
  ['above the limit', sending('POST /octets', x(1001)), open([413, /max-parsed-body-size/])],
  ['at the limit, in chunks', chunked('POST /octets', [x(500), x(500)]), open([200, '1000'])],
  [
    'above the limit, in chunks',
    chunked('POST /octets', [x(500), x(501)]),
    shut([413, /max-parsed-body-size/]),
  ],
  [
    'above the limit, in chunks that do not end',
    chunked('POST /octets', [x(1001)]).slice(0, -'0\r\n\r\n'.length),
    shut([413, /max-parsed-body-size/]),
  ],
]

raw('fw.http.limits.max-parsed-body-size', 'RFC 9110, 15.5.14', parsedRows, {
  'fw.http.limits.max-parsed-body-size': 1000,
})

describe('fw.http.limits.max-connections', (test) => {
  const most = 3
  test('one more than there may be is refused, and has room when another has gone', async () => {
    const server = await start({ 'fw.http.limits.max-connections': most })
    try {
      const connections = await Promise.all(
        Array.from({ length: most }, () => connectTo(server.url)),
      )
      for (const connection of connections) {
        connection.write(to('GET /alive'))
        check(await connection.next(), [200, 'alive'])
      }
      const { hostname, port } = new URL(server.url)
      const further = connect(Number(port), hostname)
      further.on('error', () => undefined)
      let received = 0
      further.on('data', (octets) => (received += octets.length))
      further.write(to('GET /alive'))
      await once(further, 'close')
      assert.is(received, 0)
      // those that are there notice nothing
      for (const connection of connections) {
        connection.write(to('GET /alive'))
        check(await connection.next(), [200, 'alive'])
      }
      connections[0]?.leave()
      await until(async () => {
        const next = await connectTo(server.url)
        next.write(to('GET /alive'))
        const response = await next.next().catch(() => undefined)
        next.leave()
        return response?.status === 200
      })
      for (const connection of connections) connection.leave()
    } finally {
      await server.close()
    }
  })
})
