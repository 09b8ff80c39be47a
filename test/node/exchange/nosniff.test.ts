/** Tests that all problem documents have exactly one `X-Content-Type-Options: nosniff`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Conflict,
  HttpError,
  body,
  fails,
  get,
  handle,
  int,
  json,
  path,
  post,
  problem,
  produces,
  reply,
  responseFilter,
  responseHeader,
  routes,
  securityHeaders,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { head, requestWithBody, rawRequest } from '../../support/raw.ts'

const tree = routes({
  number: pipe(
    path('/number/{n}', { n: int }),
    get(),
    produces(text),
    fails(404, problem),
    handle(({ path: { n } }) => {
      if (n === 1) throw new Conflict('no')
      if (n === 2) throw new TypeError('internal error')
      if (n === 3)
        throw new HttpError(409, 'no', { headers: { 'X-Content-Type-Options': 'nosniff' } })
      return n === 4 ? reply(404, { detail: 'no' }) : 'ok'
    }),
  ),
  declared: pipe(
    path('/declared'),
    get(),
    responseHeader('X-Content-Type-Options', 'nosniff'),
    produces(text),
    fails(404, problem),
    handle(() => reply(404, {})),
  ),
  list: pipe(
    path('/list'),
    post(),
    body(json(int)),
    produces(text),
    handle(() => 'ok'),
  ),
})

const added = pipe(
  tree,
  withFilter(
    responseFilter((_, { response }) => response.addHeader('X-Content-Type-Options', 'nosniff')),
  ),
)
const replied = pipe(
  tree,
  withFilter(responseFilter(withHeader('X-Content-Type-Options', 'nosniff'))),
)
const secured = pipe(tree, withFilter(securityHeaders()))

const requests: ReadonlyArray<readonly [title: string, message: string, status: number]> = [
  ['a missing path', rawRequest('GET /missing'), 404],
  ['an invalid path parameter', rawRequest('GET /number/x'), 404],
  ['an unsupported method', rawRequest('PUT /list'), 405],
  ['an unacceptable type', rawRequest('GET /number/0', 'Accept: image/png'), 406],
  ['an unsupported type', requestWithBody('POST /list', 'x', 'Content-Type: text/plain'), 415],
  ['an invalid body', requestWithBody('POST /list', '"a"', 'Content-Type: application/json'), 400],
  ['a large body', rawRequest('POST /list', 'Content-Length: 99999999'), 413],
  ['a thrown error', rawRequest('GET /number/1'), 409],
  ['an internal error', rawRequest('GET /number/2'), 500],
  ['an error with the header', rawRequest('GET /number/3'), 409],
  ['a declared problem document', rawRequest('GET /number/4'), 404],
  ['a declared problem document with the header', rawRequest('GET /declared'), 404],
  ['an HTML document', rawRequest('GET /missing', 'Accept: text/html'), 404],
  ['a text document', rawRequest('GET /missing', 'Accept: text/plain'), 404],
  ['a missing Host', head('GET / HTTP/1.1'), 400],
  ['an unknown expectation', rawRequest('GET /number/0', 'Expect: tea'), 417],
  ['an unsupported version', head('GET / HTTP/2.0', 'Host: a'), 505],
  [
    'an unsupported transfer coding',
    rawRequest('POST /list', 'Transfer-Encoding: gzip, chunked'),
    501,
  ],
  ['bytes that are not HTTP', 'tea\r\n\r\n', 400],
  ['CONNECT', rawRequest('CONNECT a:80'), 405],
  ['a long target', rawRequest(`GET /${'a'.repeat(10_000)}`), 414],
  ['large headers', rawRequest('GET /', `A: ${'a'.repeat(20_000)}`), 431],
]

describe('nosniff of problem documents', (test) => {
  for (const [name, api] of [
    ['without filters', tree],
    ['with a filter that adds it', added],
    ['with a filter that sets it on the reply', replied],
    ['with securityHeaders', secured],
  ] as const)
    table(
      test,
      requests.map((row) => [`${row[0]}, ${name}`, row] as [string, (typeof requests)[number]]),
      async (_, [, message, status]) => {
        const server: Server = await serveLocally(api)
        try {
          const connection = await connectTo(server.url)
          connection.write(message)
          const response = await connection.next()
          connection.destroy()
          assert.is(response.status, status)
          assert.is.not(response.body, '')
          assert.equal(
            response.headers.filter(([header]) => header === 'x-content-type-options'),
            [['x-content-type-options', 'nosniff']],
          )
        } finally {
          await server.close()
        }
      },
    )
  test('in memory, a problem document has the header', async () => {
    const response = await inMemory(tree)('http://localhost/missing')
    assert.is(response.headers.get('x-content-type-options'), 'nosniff')
  })
  test('other responses do not have the header', async () => {
    const response = await inMemory(tree)('http://localhost/number/0')
    assert.is(response.headers.get('x-content-type-options'), null)
  })
})
