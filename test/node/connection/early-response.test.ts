/** Responses before the end of the request body, also to clients that read only after they have sent everything. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { check, chunked, head, mostContent, sending, start } from '../../support/raw.ts'

const large = 'x'.repeat(5 * 1024 * 1024)
const allowed = 'x'.repeat(mostContent)

/** A request without `Host`, which is refused for its head alone. */
const withoutHost = (content: string): string =>
  head('POST /text HTTP/1.1', `Content-Length: ${content.length}`) + content

type Row = readonly [title: string, octets: string, status: number]

const rows: ReadonlyArray<Row> = [
  ['5 MB, announced', sending('POST /text', large), 413],
  ['5 MB in a chunk', chunked('POST /text', [large]), 413],
  ['5 MB for a handler that reads none', sending('POST /guarded', large), 401],
  ['5 MB in a chunk for a handler that reads none', chunked('POST /guarded', [large]), 401],
  ['5 MB for nothing', sending('POST /nothing', large), 404],
  ['5 MB behind a head that is wrong', withoutHost(large), 400],
  ['as much as is allowed behind a head that is wrong', withoutHost(allowed), 400],
  [
    'as much as is allowed, the last request',
    sending('POST /guarded', allowed, 'Connection: close'),
    401,
  ],
  ['5 MB of garbage', `\0${large}`, 400],
  ['a head of 5 MB', head('GET /alive HTTP/1.1', `X: ${large}`), 431],
  ['a target of 5 MB', head(`GET /${large} HTTP/1.1`), 414],
  [
    '5 MB behind a broken chunk',
    chunked('POST /text', ['a']).replace('1\r\na', 'z\r\n') + large,
    400,
  ],
]

/** How often each is tried: what a reset destroys is a matter of timing. */
const times = 20

describe('a response before the end of the request body', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await start()
  })
  after(() => server?.close())
  table<Row>(test, rows, async (_, octets, status) => {
    for (let time = 0; time < times; time++) {
      const connection = await connectTo(server?.url ?? '')
      connection.socket.pause()
      await sendAll(connection, octets)
      connection.socket.resume()
      const response = await connection.next()
      check(response, status)
      assert.is(fieldOf(response, 'connection'), 'close')
      connection.socket.end()
      await connection.closed()
    }
  })
})

/** In quarters, so that the answer has time to come between them. Rejects when the server does not take one. */
const sendAll = async ({ socket }: RawConnection, octets: string): Promise<void> => {
  const quarter = Math.ceil(octets.length / 4)
  for (let at = 0; at < octets.length; at += quarter) {
    await new Promise<void>((resolve, reject) =>
      socket.write(octets.slice(at, at + quarter), 'latin1', (error) =>
        error ? reject(error) : resolve(),
      ),
    )
    await wait(1)
  }
}
