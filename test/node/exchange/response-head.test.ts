/** Tests of the head of a response: header encoding, `Content-Length` and connection headers. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  del,
  get,
  handle,
  noContent,
  ok,
  path,
  post,
  body,
  produces,
  responds,
  routes,
  text,
  withHeader,
} from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import type { ExpectedResponse } from '../../support/raw.ts'
import { assertResponse, head, requestWithBody, rawRequest, utf8 } from '../../support/raw.ts'

/** Header values are encoded in ISO 8859-1, as in requests; RFC 9110, 5.5: obs-text. */
const marked = withHeader('X-Mark', 'é')

const api = routes({
  echo: pipe(
    path('/echo'),
    post(),
    body(text),
    produces(text),
    handle((input) => pipe(ok(input.body), marked)),
  ),
  hello: pipe(
    path('/hello'),
    get(),
    produces(text),
    handle(() => 'hello'),
  ),
  nothing: pipe(
    path('/nothing'),
    del(),
    responds(204),
    handle(() => pipe(noContent, marked)),
  ),
})

const start = (options: ServeOptions = {}): Promise<Server> =>
  serveLocally(api, {
    ...options,
  })

const assertResponseTo = async (
  message: string,
  expected: ExpectedResponse,
  options?: ServeOptions,
): Promise<void> => {
  const server = await start(options)
  const connection = await connectTo(server.url)
  try {
    connection.write(message)
    assertResponse(await connection.next(message.split(' ')[0]), expected)
  } finally {
    connection.destroy()
    await server.close()
  }
}

const mark = { 'x-mark': 'é' }

const long = 'x'.repeat(100_000)

type Body = readonly [title: string, body: string]

const bodies: ReadonlyArray<Body> = [
  ['an empty body', ''],
  ['an ASCII body', 'abc'],
  ['an ISO 8859-1 body', 'é'],
  ['a Unicode body', '…😀'],
  ['a long ASCII body', long],
  ['a long Unicode body', `${long}é${long}…`],
]

describe('headers of a response', (test) => {
  table<Body>(test, bodies, (_, decoded) => {
    const encoded = utf8(decoded)
    const length = { 'content-length': String(encoded.length) }
    return assertResponseTo(requestWithBody('POST /echo', encoded), [
      200,
      decoded,
      { ...mark, ...length },
    ])
  })

  test('no body', () => assertResponseTo(rawRequest('DELETE /nothing'), [204, '', mark]))
})

type Row = readonly [
  title: string,
  message: string,
  expected: ExpectedResponse,
  keepAliveTimeout?: string,
]

const persistent = { connection: 'keep-alive', 'keep-alive': 'timeout=72' }
const withoutTimeout = { connection: 'keep-alive', 'keep-alive': undefined }
const closing = { connection: 'close', 'keep-alive': undefined }
const keepAlive = 'Connection: keep-alive'

/** RFC 9112, 9.3. */
const connections: ReadonlyArray<Row> = [
  ['HTTP/1.1', rawRequest('GET /hello'), [200, 'hello', persistent]],
  ['HEAD', rawRequest('HEAD /hello'), [200, '', persistent]],
  ['a response without a body', rawRequest('DELETE /nothing'), [204, '', persistent]],
  ['an error', rawRequest('GET /missing'), [404, /./, persistent]],
  ['close', rawRequest('GET /hello', 'Connection: close'), [200, 'hello', closing]],
  ['HTTP/1.0', head('GET /hello HTTP/1.0'), [200, 'hello', closing]],
  ['HTTP/1.0 with keep-alive', head('GET /hello HTTP/1.0', keepAlive), [200, 'hello', persistent]],
  [
    'HTTP/1.0 with keep-alive and no Content-Length',
    head('DELETE /nothing HTTP/1.0', keepAlive),
    [204, '', closing],
  ],
  ['a malformed request', head('GET /hello HTTP/1.1'), [400, /./, closing]],
  [
    'a timeout below a second',
    rawRequest('GET /hello'),
    [200, 'hello', { 'keep-alive': 'timeout=0' }],
    '900ms',
  ],
  ['no timeout', rawRequest('GET /hello'), [200, 'hello', withoutTimeout], '0s'],
]

describe('connection headers of a response', (test) => {
  table<Row>(test, connections, (_, message, expected, timeout) =>
    assertResponseTo(message, expected, { 'fw.http.keep-alive-timeout': timeout }),
  )
})
