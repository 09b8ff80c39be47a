/** Tests of responses before the end of the request body, to clients that read only after sending the complete body. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describeConcurrently, repetitions, table } from '../../support/describe.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import {
  assertResponse,
  chunkedRequest,
  head,
  maxBodySize,
  requestWithBody,
  startServer,
} from '../../support/raw.ts'
import { turns } from '../../support/wait-until.ts'

const large = 'x'.repeat(5 * 1024 * 1024)
const allowed = 'x'.repeat(maxBodySize)

/** A request without `Host`, which the server rejects without reading the body. */
const withoutHost = (body: string): string =>
  head('POST /text HTTP/1.1', `Content-Length: ${body.length}`) + body

type Row = readonly [title: string, message: string, status: number]

const rows: ReadonlyArray<Row> = [
  ['5 MB with Content-Length', requestWithBody('POST /text', large), 413],
  ['5 MB in a chunk', chunkedRequest('POST /text', [large]), 413],
  ['5 MB for a handler that reads none', requestWithBody('POST /guarded', large), 401],
  ['5 MB in a chunk for a handler that reads none', chunkedRequest('POST /guarded', [large]), 401],
  ['5 MB for an unknown path', requestWithBody('POST /nothing', large), 404],
  ['5 MB after an invalid head', withoutHost(large), 400],
  ['a body at the limit after an invalid head', withoutHost(allowed), 400],
  [
    'a body at the limit with Connection: close',
    requestWithBody('POST /guarded', allowed, 'Connection: close'),
    401,
  ],
  ['5 MB of garbage', `\0${large}`, 400],
  ['a head of 5 MB', head('GET /alive HTTP/1.1', `X: ${large}`), 431],
  ['a target of 5 MB', head(`GET /${large} HTTP/1.1`), 414],
  [
    '5 MB after a malformed chunk',
    chunkedRequest('POST /text', ['a']).replace('1\r\na', 'z\r\n') + large,
    400,
  ],
]

/** Attempts for each row, because the loss of a response after a reset depends on timing. */
const attempts = repetitions(3, 20)

describeConcurrently('a response before the end of the request body', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    server = await startServer()
  })
  after(() => server?.close())
  table<Row>(test, rows, async (_, message, status) => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const connection = await connectTo(server?.url ?? '')
      connection.socket.pause()
      await sendAll(connection, message)
      connection.socket.resume()
      const response = await connection.next()
      assertResponse(response, status)
      assert.is(headerOf(response, 'connection'), 'close')
      connection.socket.end()
      await connection.closed()
    }
  })
})

/** Sends a message in quarters with pauses, in which the response can arrive. Rejects if a write fails. */
const sendAll = async ({ socket }: RawConnection, message: string): Promise<void> => {
  const quarter = Math.ceil(message.length / 4)
  for (let at = 0; at < message.length; at += quarter) {
    await new Promise<void>((resolve, reject) =>
      socket.write(message.slice(at, at + quarter), 'latin1', (error) =>
        error ? reject(error) : resolve(),
      ),
    )
    await turns(2)
  }
}
