/** Tests of `fw.http.header-timeout` and `fw.http.read-timeout`: slow clients are disconnected, other clients are served. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, concurrentTable } from '../../support/describe.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, startServer, rawRequest } from '../../support/raw.ts'
import { retryWhenDelayed } from '../../support/retry-timing.ts'

/** Milliseconds. The values differ enough to distinguish the timeouts. */
const [headLimit, requestLimit, idleLimit] = [300, 1500, 100]
/** Milliseconds until a timeout is detected: Node.js checks once a second. */
const maxDelay = 1400

const length = 'Content-Length: 1000'
const chunks = 'Transfer-Encoding: chunked'
const endless = 'x'.repeat(1000)

/**
 * A title, the data sent at once, the data sent byte by byte, the statuses received, and the minimum duration of the
 * connection.
 */
type Row = readonly [
  title: string,
  immediate: string,
  slow: string,
  statuses: ReadonlyArray<number>,
  timeout: number,
]

/** RFC 9110, 15.5.9. */
const rows: ReadonlyArray<Row> = [
  ['no data', '', '', [408], headLimit],
  ['a slow request line', '', `GET /${endless}`, [408], headLimit],
  ['a slow head', 'GET /alive HTTP/1.1\r\n', `X: ${endless}`, [408], headLimit],
  ['an incomplete head', 'GET /alive HT', '', [408], headLimit],
  ['a slow second head', rawRequest('GET /alive'), `GET /${endless}`, [200, 408], headLimit],
  ['a slow body', rawRequest('POST /text', length), endless, [408], requestLimit],
  ['an incomplete body', `${rawRequest('POST /text', length)}x`, '', [408], requestLimit],
  ['slow chunks', rawRequest('POST /text', chunks), '1\r\nx\r\n'.repeat(200), [408], requestLimit],
  [
    'no body after 100',
    rawRequest('POST /text', length, 'Expect: 100-continue'),
    '',
    [100, 408],
    requestLimit,
  ],
  ['a slow unread body', rawRequest('POST /guarded', length), endless, [401], requestLimit],
  ['no second request', rawRequest('GET /alive'), '', [200], idleLimit],
]

describe('slow clients', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await startServer({
      'fw.http.header-timeout': headLimit,
      'fw.http.read-timeout': requestLimit,
      'fw.http.keep-alive-timeout': idleLimit,
    })
  })
  after(() => server?.close())

  test('other clients are served without delay', () =>
    retryWhenDelayed(200, async () => {
      for (let count = 0; count < 10; count++) {
        const start = performance.now()
        const connection = await connectTo(server?.url ?? '')
        connection.write(rawRequest('GET /alive'))
        assertResponse(await connection.next(), [200, 'alive'])
        connection.destroy()
        assert.ok(performance.now() - start < 1000)
        await wait(20)
      }
    }))

  concurrentTable<Row>(test, { before }, rows, (...row) =>
    // client and server share the event loop
    retryWhenDelayed(200, () => assertDisconnected(server?.url ?? '', row)),
  )
})

const assertDisconnected = async (
  url: string,
  [, immediate, slow, statuses, timeout]: Row,
): Promise<void> => {
  const connection = await connectTo(url)
  const start = performance.now()
  connection.write(immediate)
  const sending = new AbortController()
  const sent = writeSlowly(connection, slow, sending.signal)
  try {
    for (const status of statuses) assertResponse(await connection.next(), status)
    if (statuses.at(-1) === 408) {
      sending.abort()
      connection.socket.end()
    }
    await connection.closed()
    const duration = performance.now() - start
    assert.ok(duration >= timeout, `disconnected after ${duration} ms`)
    assert.ok(duration < timeout + maxDelay, `disconnected only after ${duration} ms`)
  } finally {
    sending.abort()
    await sent
    connection.destroy()
  }
}

const writeSlowly = async (
  connection: RawConnection,
  message: string,
  stopped: AbortSignal,
): Promise<void> => {
  for (const byte of message) {
    if (stopped.aborted || connection.socket.writableEnded) return
    connection.write(byte)
    await wait(20)
  }
}
