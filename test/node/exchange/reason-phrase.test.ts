/**
 * Tests of reason phrases. A reply cannot set one: clients should ignore it (RFC 9112, 4), and HTTP/2 does
 * not support them (RFC 9113, 8.3.2).
 */
import { once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { HttpError, body, get, handle, int, path, post, routes, text } from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'

const api = routes({
  any: pipe(
    path('/{status}', { status: int }),
    get(),
    handle(({ path: { status } }) => {
      throw new HttpError(status)
    }),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(text),
    handle(() => undefined),
  ),
})

/** The registry of RFC 9110, 16.2.1; 306 and 418 are reserved and unused, 104 is temporary. */
const registry: ReadonlyArray<Row> = [
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [203, 'Non-Authoritative Information'],
  [204, 'No Content'],
  [205, 'Reset Content'],
  [206, 'Partial Content'],
  [207, 'Multi-Status'],
  [208, 'Already Reported'],
  [226, 'IM Used'],
  [300, 'Multiple Choices'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [303, 'See Other'],
  [304, 'Not Modified'],
  [305, 'Use Proxy'],
  [307, 'Temporary Redirect'],
  [308, 'Permanent Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [407, 'Proxy Authentication Required'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [411, 'Length Required'],
  [412, 'Precondition Failed'],
  [413, 'Content Too Large'],
  [414, 'URI Too Long'],
  [415, 'Unsupported Media Type'],
  [416, 'Range Not Satisfiable'],
  [417, 'Expectation Failed'],
  [421, 'Misdirected Request'],
  [422, 'Unprocessable Content'],
  [423, 'Locked'],
  [424, 'Failed Dependency'],
  [425, 'Too Early'],
  [426, 'Upgrade Required'],
  [428, 'Precondition Required'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [451, 'Unavailable For Legal Reasons'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
  [505, 'HTTP Version Not Supported'],
  [506, 'Variant Also Negotiates'],
  [507, 'Insufficient Storage'],
  [508, 'Loop Detected'],
  [510, 'Not Extended'],
  [511, 'Network Authentication Required'],
]

const unregistered = [222, 306, 418, 499, 509, 666]

type Row = readonly [status: number, phrase: string]

const rows: ReadonlyArray<Row> = [
  ...registry,
  ...unregistered.map((status): Row => [status, 'unknown']),
]

/** Sends a request and returns the status line of the response. */
const statusLine = async (server: Server | undefined, message: string): Promise<string> => {
  const { socket, write, destroy } = await connectTo(server?.url ?? '')
  write(message)
  const [received] = (await once(socket, 'data')) as [Buffer]
  destroy()
  return String(received).split('\r\n')[0] ?? ''
}

describe('the reason phrase is the registered one or "unknown"', (test, hooks) => {
  let server: Server | undefined
  hooks.before(async () => {
    server = await serveLocally(api, { 'fw.http.limits.max-body-size': 10 })
  })
  hooks.after(() => server?.close())

  table<Row>(test, rows, async (status, phrase) => {
    assert.is(
      await statusLine(server, rawRequest(`GET /${status}`)),
      `HTTP/1.1 ${status} ${phrase}`,
    )
  })

  table(
    test,
    [
      ['chunk extensions that are too large', 'HTTP/1.1 413 Content Too Large'],
      ['an unknown method', 'HTTP/1.1 501 Not Implemented'],
    ] as const,
    async (title, line) => {
      const message = title.startsWith('chunk')
        ? rawRequest('POST /text', 'Transfer-Encoding: chunked') + `1;${'x'.repeat(50_000)}`
        : rawRequest('CHEESE /200')
      assert.is(await statusLine(server, message), line)
    },
  )
})

describe('Response.statusText in memory', (test) => {
  const call = inMemory(api, { logger: silentLogger })
  table<Row>(test, rows, async (status, phrase) => {
    assert.is((await call(new Request(`http://a.example/${status}`))).statusText, phrase)
  })
})
