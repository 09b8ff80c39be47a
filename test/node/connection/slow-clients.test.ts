/** Slow clients are disconnected within their limit and the second between two checks; others are not affected. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, sideBySide } from '../../support/describe.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, start, to } from '../../support/raw.ts'
import { undisturbed } from '../../support/retry-timing.ts'

/** Milliseconds; far enough from each other that one cannot be taken for another. */
const [headLimit, requestLimit, idleLimit] = [300, 1500, 100]
/** Node looks once a second. */
const late = 1400

const length = 'Content-Length: 1000'
const chunks = 'Transfer-Encoding: chunked'
const endless = 'x'.repeat(1000)

/** What is sent at once, what octet after octet, and what has come when the connection ends, after so long at least. */
type Row = readonly [
  title: string,
  atOnce: string,
  slowly: string,
  statuses: ReadonlyArray<number>,
  least: number,
]

/** RFC 9110, 15.5.9. */
const rows: ReadonlyArray<Row> = [
  ['nothing at all', '', '', [408], headLimit],
  ['a slow request line', '', `GET /${endless}`, [408], headLimit],
  ['a slow head', 'GET /alive HTTP/1.1\r\n', `X: ${endless}`, [408], headLimit],
  ['half a head', 'GET /alive HT', '', [408], headLimit],
  ['a slow second head', to('GET /alive'), `GET /${endless}`, [200, 408], headLimit],
  ['a slow content', to('POST /text', length), endless, [408], requestLimit],
  ['half a content', `${to('POST /text', length)}x`, '', [408], requestLimit],
  ['slow chunks', to('POST /text', chunks), '1\r\nx\r\n'.repeat(200), [408], requestLimit],
  [
    'no content after 100',
    to('POST /text', length, 'Expect: 100-continue'),
    '',
    [100, 408],
    requestLimit,
  ],
  ['a slow content that nobody reads', to('POST /guarded', length), endless, [401], requestLimit],
  ['no second request', to('GET /alive'), '', [200], idleLimit],
]

describe('slow clients', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await start({
      'fw.http.header-timeout': headLimit,
      'fw.http.read-timeout': requestLimit,
      'fw.http.keep-alive-timeout': idleLimit,
    })
  })
  after(() => server?.close())

  test('other clients are served at once', () =>
    undisturbed(200, async () => {
      for (let time = 0; time < 10; time++) {
        const begun = performance.now()
        const connection = await connectTo(server?.url ?? '')
        connection.write(to('GET /alive'))
        check(await connection.next(), [200, 'alive'])
        connection.leave()
        assert.ok(performance.now() - begun < 1000)
        await wait(20)
      }
    }))

  sideBySide<Row>(test, { before }, rows, (...row) =>
    // client and server have one loop: what is late is late for both
    undisturbed(200, () => cut(server?.url ?? '', row)),
  )
})

const cut = async (url: string, [, atOnce, slowly, statuses, least]: Row): Promise<void> => {
  const connection = await connectTo(url)
  const begun = performance.now()
  connection.write(atOnce)
  const dripping = new AbortController()
  const drip = dripOn(connection, slowly, dripping.signal)
  try {
    for (const status of statuses) check(await connection.next(), status)
    if (statuses.at(-1) === 408) {
      dripping.abort()
      connection.socket.end()
    }
    await connection.closed()
    const took = performance.now() - begun
    assert.ok(took >= least, `cut after ${took} ms`)
    assert.ok(took < least + late, `cut only after ${took} ms`)
  } finally {
    dripping.abort()
    await drip
    connection.leave()
  }
}

const dripOn = async (
  connection: RawConnection,
  octets: string,
  stopped: AbortSignal,
): Promise<void> => {
  for (const octet of octets) {
    if (stopped.aborted || connection.socket.writableEnded) return
    connection.write(octet)
    await wait(20)
  }
}
