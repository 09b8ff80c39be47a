/** Which requests a mounted tree handles, and which it passes to the next middleware. */
import * as assert from 'uvu/assert'
import { connectTo } from '../../support/raw-connection.ts'
import { describe, table } from '../../support/describe.ts'
import { direct, withMounted } from './mounting.ts'

type Row = readonly [title: string, message: string, status: number]

/** The request line and the status, which is 299 for the next middleware. */
const rows: ReadonlyArray<Row> = [
  ['an operation', 'GET /hello HTTP/1.1', 200],
  ['an unknown path', 'GET /unknown HTTP/1.1', 299],
  ['an unknown path below an operation', 'GET /hello/a HTTP/1.1', 299],
  ['an unknown path, POST', 'POST /unknown HTTP/1.1', 299],
  ['another method', 'DELETE /hello HTTP/1.1', 405],
  ['OPTIONS of an operation', 'OPTIONS /hello HTTP/1.1', 204],
  ['an invalid path parameter', 'GET /books/a HTTP/1.1', 404],
  ['an operation that throws', 'GET /fails HTTP/1.1', 500],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1', 299],
  ['an invalid target', 'GET /hello"a HTTP/1.1', 299],
  ['an undecodable path', 'GET /%ff HTTP/1.1', 299],
  ['an absolute target', 'GET http://a.example/hello HTTP/1.1', 200],
]

const send = async (url: string, message: string): Promise<number> => {
  const connection = await connectTo(url)
  connection.write(message)
  const { status } = await connection.next()
  connection.destroy()
  return status
}

describe('nodeListener with next', (test) => {
  table<Row>(test, rows, (_, head, status) =>
    withMounted(
      {},
      (listener, request, response) => {
        const state = { url: request.url, flowing: request.readableFlowing }
        listener(request, response, (error) => {
          assert.is(error, undefined)
          assert.equal({ url: request.url, flowing: request.readableFlowing }, state)
          assert.equal(response.getHeaderNames(), [])
          assert.is(response.listenerCount('close') + request.listenerCount('data'), 0)
          response.writeHead(299, { 'Content-Length': 0 }).end()
        })
      },
      async ({ url }) => assert.is(await send(url, `${head}\r\nHost: a.example\r\n\r\n`), status),
    ),
  )
})

const unused = (): undefined => undefined

describe('nodeListener without next', (test) => {
  const expected: ReadonlyArray<Row> = [
    ['an unknown path', 'GET /unknown HTTP/1.1\r\nHost: a.example\r\n\r\n', 404],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: a.example\r\n\r\n', 204],
    ['an invalid target', 'GET /hello"a HTTP/1.1\r\nHost: a.example\r\n\r\n', 400],
    ['an invalid host', 'GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    [
      'a duplicate Authorization header',
      'GET /hello HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n',
      400,
    ],
    ['a long target', `GET /${'a'.repeat(300)} HTTP/1.1\r\nHost: a.example\r\n\r\n`, 414],
    ['large headers', `GET /hello HTTP/1.1\r\nHost: a\r\nA: ${'a'.repeat(600)}\r\n\r\n`, 431],
    ['a host that is not allowed', 'GET /hello HTTP/1.1\r\nHost: b.example\r\n\r\n', 421],
  ]
  table<Row>(test, expected, (title, message, status) =>
    withMounted(
      {
        'fw.http.limits.max-initial-line-length': '200',
        'fw.http.limits.max-header-size': '500',
        ...(title.includes('allowed') ? { 'fw.http.allowed-hosts': 'a.example' } : {}),
      },
      direct,
      async ({ url }) => assert.is(await send(url, message), status),
    ),
  )
  test('an object that is not of node:http gets 505 and an explanation in the log', () =>
    withMounted({}, direct, async ({ listener, lines }) => {
      const statuses: number[] = []
      let hasEnded = false
      listener(
        {
          httpVersion: '2.0',
          rawHeaders: [],
          rawTrailers: [],
          complete: true,
          socket: {},
        },
        {
          headersSent: false,
          writableEnded: false,
          destroyed: false,
          setHeader: unused,
          appendHeader: unused,
          removeHeader: unused,
          writeHead: (status) => statuses.push(status),
          write: () => true,
          end: () => {
            hasEnded = true
          },
        },
      )
      assert.equal(statuses, [505])
      assert.ok(hasEnded)
      assert.match(lines.at(-1)?.message ?? '', 'HTTP/2 is not supported')
    }))
})
