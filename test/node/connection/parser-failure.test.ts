/** Tests of the status with which heads and trailer sections are rejected that exceed a limit of the parser in one of their packets. */
import type { Server } from '../../../src/node.ts'
import { concurrentTable, describe } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest, startServer } from '../../support/raw.ts'
import { turns } from '../../support/wait-until.ts'

const long = (length: number): string => 'a'.repeat(length)
const start = 'GET /alive HTTP/1.1\r\nHost: a\r\n'
const trailer = `${rawRequest('POST /text', 'Transfer-Encoding: chunked')}0\r\nX: `
const parts = Array.from({ length: 8 }, () => long(5000))

type Row = readonly [title: string, packets: ReadonlyArray<string>, statuses: ReadonlyArray<number>]

const rows: ReadonlyArray<Row> = [
  ['a target of 40 KB', [`GET /${long(40_000)}`], [414]],
  [
    'a target of 40 KB after a request',
    [`${rawRequest('GET /alive')}GET /${long(40_000)}`],
    [200, 414],
  ],
  ['a header of 40 KB', [`${start}X: ${long(40_000)}`], [431]],
  ['a header of 40 KB in several packets', [`${start}X: `, ...parts], [431]],
  ['headers of 40 KB in several packets', [start, ...parts.map((part) => `X: ${part}\r\n`)], [431]],
  ['headers whose packets begin with a name', [`${start}X: b\r\nX`, ...parts], [431]],
  ['a trailer of 40 KB in several packets', [trailer, ...parts], [431]],
]

for (const connection of ['node', 'direct'] as const)
  describe(`a head above the limits of the parser (${connection})`, (test, hooks) => {
    let server: Server | undefined
    hooks.before(async () => {
      server = await startServer({ 'fw.http.connection': connection })
    })
    hooks.after(() => server?.close())
    concurrentTable<Row>(test, hooks, rows, async (_, packets, statuses) => {
      const client = await connectTo(server?.url ?? '')
      try {
        for (const packet of packets) {
          client.write(packet)
          await turns()
        }
        for (const status of statuses) assertResponse(await client.next(), status)
      } finally {
        client.destroy()
      }
    })
  })
