/** Tests of the configured limits: requests below, at and above each limit. */
import { once } from 'node:events'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { describe } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import type { Row } from '../../support/raw.ts'
import {
  assertResponse,
  chunkedRequest,
  keepsOpen,
  rawRequests,
  requestWithBody,
  closes,
  startServer,
  rawRequest,
} from '../../support/raw.ts'
import { waitUntil } from '../../support/wait-until.ts'

const x = (count: number): string => 'x'.repeat(count)

/** Formats a request whose header lines have `size` bytes. */
const withSize = (size: number): string =>
  rawRequest('GET /headers', `X: ${x(size - 'Host: a.example\r\nX: \r\n'.length)}`)

/** Formats a request whose request line has `length` bytes. */
const withLength = (length: number): string =>
  rawRequest(`GET /target?${x(length - 'GET /target? HTTP/1.1'.length)}`)

const withHeaders = (count: number): string =>
  rawRequest('GET /headers', ...Array.from({ length: count - 1 }, (_, index) => `X-${index}: 1`))

const limits = {
  'fw.http.limits.max-header-size': 500,
  'fw.http.limits.max-header-fields': 10,
  'fw.http.limits.max-initial-line-length': 100,
  'fw.http.limits.max-body-size': 20_000,
} as const

const rows: ReadonlyArray<Row> = [
  ['headers below the size limit', withSize(499), keepsOpen(200)],
  ['headers at the size limit', withSize(500), keepsOpen(200)],
  ['headers above the size limit', withSize(501), closes(431)],
  ['headers below the count limit', withHeaders(9), keepsOpen([200, '9 1'])],
  ['headers at the count limit', withHeaders(10), keepsOpen([200, '10 1'])],
  ['headers above the count limit', withHeaders(11), closes(431)],
  ['a request line below the limit', withLength(99), keepsOpen(200)],
  ['a request line at the limit', withLength(100), keepsOpen(200)],
  ['a request line above the limit', withLength(101), closes(414)],
  ['a body below the limit', requestWithBody('POST /bytes', x(19_999)), keepsOpen([200, '19999'])],
  ['a body at the limit', requestWithBody('POST /bytes', x(20_000)), keepsOpen([200, '20000'])],
  [
    'Content-Length above the limit without a body',
    rawRequest('POST /bytes', 'Content-Length: 20001'),
    closes(413),
  ],
  ['a body above the limit', requestWithBody('POST /bytes', x(20_001)), closes(413)],
  [
    'chunks at the limit',
    chunkedRequest('POST /bytes', [x(10_000), x(10_000)]),
    keepsOpen([200, '20000']),
  ],
  ['chunks above the limit', chunkedRequest('POST /bytes', [x(10_000), x(10_001)]), closes(413)],
  ['a chunk of 8,191 bytes', chunkedRequest('POST /bytes', [x(8191)]), keepsOpen([200, '8191'])],
  ['a chunk of 8,192 bytes', chunkedRequest('POST /bytes', [x(8192)]), keepsOpen([200, '8192'])],
  ['a chunk of 8,193 bytes', chunkedRequest('POST /bytes', [x(8193)]), keepsOpen([200, '8193'])],
]

rawRequests('configured limits', 'RFC 9110, 15.5', rows, limits)

const parsedRows: ReadonlyArray<Row> = [
  ['at the limit', requestWithBody('POST /bytes', x(1000)), keepsOpen([200, '1000'])],
  [
    'Content-Length above the limit with Expect',
    rawRequest('POST /bytes', 'Content-Length: 1001', 'Expect: 100-continue'),
    closes([413, /max-parsed-body-size/]),
  ],
  [
    'above the limit',
    requestWithBody('POST /bytes', x(1001)),
    keepsOpen([413, /max-parsed-body-size/]),
  ],
  [
    'at the limit, in chunks',
    chunkedRequest('POST /bytes', [x(500), x(500)]),
    keepsOpen([200, '1000']),
  ],
  [
    'above the limit, in chunks',
    chunkedRequest('POST /bytes', [x(500), x(501)]),
    closes([413, /max-parsed-body-size/]),
  ],
  [
    'above the limit, in chunks that do not end',
    chunkedRequest('POST /bytes', [x(1001)]).slice(0, -'0\r\n\r\n'.length),
    closes([413, /max-parsed-body-size/]),
  ],
]

rawRequests('fw.http.limits.max-parsed-body-size', 'RFC 9110, 15.5.14', parsedRows, {
  'fw.http.limits.max-parsed-body-size': 1000,
})

describe('fw.http.limits.max-connections', (test) => {
  const maximum = 3
  test('a connection above the limit is closed, and accepted once another has closed', async () => {
    const server = await startServer({ 'fw.http.limits.max-connections': maximum })
    try {
      const connections = await Promise.all(
        Array.from({ length: maximum }, () => connectTo(server.url)),
      )
      for (const connection of connections) {
        connection.write(rawRequest('GET /alive'))
        assertResponse(await connection.next(), [200, 'alive'])
      }
      const { hostname, port } = new URL(server.url)
      const surplus = connect(Number(port), hostname)
      surplus.on('error', () => undefined)
      let received = 0
      surplus.on('data', (chunk) => (received += chunk.length))
      surplus.write(rawRequest('GET /alive'))
      await once(surplus, 'close')
      assert.is(received, 0)
      // the open connections are unaffected
      for (const connection of connections) {
        connection.write(rawRequest('GET /alive'))
        assertResponse(await connection.next(), [200, 'alive'])
      }
      connections[0]?.destroy()
      await waitUntil(async () => {
        const next = await connectTo(server.url)
        next.write(rawRequest('GET /alive'))
        const response = await next.next().catch(() => undefined)
        next.destroy()
        return response?.status === 200
      })
      for (const connection of connections) connection.destroy()
    } finally {
      await server.close()
    }
  })
})
