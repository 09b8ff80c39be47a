/** Problem documents carry `X-Content-Type-Options: nosniff`, once, whatever writes them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Conflict,
  HttpError,
  body,
  get,
  handle,
  int,
  json,
  path,
  post,
  produces,
  responseFilter,
  routes,
  securityHeaders,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { head, sending, to } from '../../support/raw.ts'

const tree = routes({
  number: pipe(
    path('/number/{n}', { n: int }),
    get(),
    produces(text),
    handle(({ path: { n } }) => {
      if (n === 1) throw new Conflict('no')
      if (n === 2) throw new TypeError('a defect')
      if (n === 3)
        throw new HttpError(409, 'no', { headers: { 'X-Content-Type-Options': 'nosniff' } })
      return 'ok'
    }),
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

const requests: ReadonlyArray<readonly [title: string, octets: string, status: number]> = [
  ['a missing path', to('GET /missing'), 404],
  ['an invalid path parameter', to('GET /number/x'), 404],
  ['a missing method', to('PUT /list'), 405],
  ['an unacceptable type', to('GET /number/0', 'Accept: image/png'), 406],
  ['an unsupported type', sending('POST /list', 'x', 'Content-Type: text/plain'), 415],
  ['an invalid body', sending('POST /list', '"a"', 'Content-Type: application/json'), 400],
  ['a large body', to('POST /list', 'Content-Length: 99999999'), 413],
  ['a thrown error', to('GET /number/1'), 409],
  ['an internal error', to('GET /number/2'), 500],
  ['an error with the header', to('GET /number/3'), 409],
  ['an HTML document', to('GET /missing', 'Accept: text/html'), 404],
  ['a text document', to('GET /missing', 'Accept: text/plain'), 404],
  ['a missing Host', head('GET / HTTP/1.1'), 400],
  ['an expectation', to('GET /number/0', 'Expect: tea'), 417],
  ['another version', head('GET / HTTP/2.0', 'Host: a'), 505],
  ['a transfer coding', to('POST /list', 'Transfer-Encoding: gzip, chunked'), 501],
  ['bytes that are not HTTP', 'tea\r\n\r\n', 400],
  ['CONNECT', to('CONNECT a:80'), 405],
  ['a long target', to(`GET /${'a'.repeat(10_000)}`), 414],
  ['large headers', to('GET /', `A: ${'a'.repeat(20_000)}`), 431],
]

describe('Problem documents carry nosniff', (test) => {
  for (const [name, api] of [
    ['alone', tree],
    ['with a filter that adds it', added],
    ['with a filter that puts it into the reply', replied],
    ['with securityHeaders', secured],
  ] as const)
    table(
      test,
      requests.map((row) => [`${row[0]}, ${name}`, row] as [string, (typeof requests)[number]]),
      async (_, [, octets, status]) => {
        const server: Server = await onLoopback(api)
        try {
          const connection = await connectTo(server.url)
          connection.write(octets)
          const response = await connection.next()
          connection.leave()
          assert.is(response.status, status)
          assert.is.not(response.content, '')
          assert.equal(
            response.fields.filter(([field]) => field === 'x-content-type-options'),
            [['x-content-type-options', 'nosniff']],
          )
        } finally {
          await server.close()
        }
      },
    )
  test('in memory', async () => {
    const response = await inMemory(tree)('http://localhost/missing')
    assert.is(response.headers.get('x-content-type-options'), 'nosniff')
  })
  test('other responses have no such header', async () => {
    const response = await inMemory(tree)('http://localhost/number/0')
    assert.is(response.headers.get('x-content-type-options'), null)
  })
})
