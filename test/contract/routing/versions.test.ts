/** API versions selected by path, media type, header or query. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  get,
  handle,
  int,
  json,
  path,
  post,
  prefix,
  preMatching,
  produces,
  rewrite,
  routes,
  string,
  text,
  withFilter,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const V1 = t.type({ name: string })
const V2 = t.type({ names: t.array(string), year: int })
const v1 = { name: 'Emma' }
const v2 = { names: ['Emma'], year: 1815 }
const asV1 = as('application/vnd.book.v1+json')
const asV2 = as('application/vnd.book.v2+json')

const books = path('/books')
const byPath = routes({
  v1: pipe(
    routes({
      read: pipe(
        books,
        get(),
        produces(json(V1)),
        handle(() => v1),
      ),
    }),
    prefix('/v1'),
  ),
  v2: pipe(
    routes({
      read: pipe(
        books,
        get(),
        produces(json(V2)),
        handle(() => v2),
      ),
    }),
    prefix('/v2'),
  ),
})
const byMediaType = routes({
  readV2: pipe(
    books,
    get(),
    produces(asV2(json(V2))),
    handle(() => v2),
  ),
  readV1: pipe(
    books,
    get(),
    produces(asV1(json(V1))),
    handle(() => v1),
  ),
  writeV1: pipe(
    books,
    post(),
    body(asV1(json(V1))),
    produces(text),
    handle((input) => input.body.name),
  ),
  writeV2: pipe(
    books,
    post(),
    body(asV2(json(V2))),
    produces(text),
    handle((input) => String(input.body.year)),
  ),
})

/** Prefixes the path with the version from the `X-Version` header or the query, before matching. */
const byHeaderOrQuery = withFilter(
  preMatching(({ request }) => {
    const [header] = request.headerValues('x-version')
    const version = header ?? /^version=(\d)$/.exec(request.query ?? '')?.[1]
    return version === undefined ? undefined : rewrite({ target: `/v${version}${request.path}` })
  }),
)

const api = pipe(routes({ byPath, byMediaType }), byHeaderOrQuery)

valueContract('API versions', api, (test, call) =>
  table<readonly [name: string, line: string, headers: Record<string, string>, expected: string]>(
    test,
    [
      ['version 1 in the path', 'GET /v1/books', {}, JSON.stringify(v1)],
      ['version 2 in the path', 'GET /v2/books', {}, JSON.stringify(v2)],
      ['version 1 in Accept', 'GET /books', { Accept: asV1(text).mediaType }, JSON.stringify(v1)],
      ['version 2 in Accept', 'GET /books', { Accept: asV2(text).mediaType }, JSON.stringify(v2)],
      ['no version: the first declared operation', 'GET /books', {}, JSON.stringify(v2)],
      [
        'version 1 in Content-Type',
        'POST /books',
        { 'Content-Type': asV1(text).mediaType },
        'Emma',
      ],
      [
        'version 2 in Content-Type',
        'POST /books',
        { 'Content-Type': asV2(text).mediaType },
        '1815',
      ],
      ['version 1 in X-Version', 'GET /books', { 'X-Version': '1' }, JSON.stringify(v1)],
      ['version 2 in the query', 'GET /books?version=2', {}, JSON.stringify(v2)],
    ],
    async (_, line, headers, expected) => {
      const payload = JSON.stringify({ ...v1, ...v2 })
      const init = line.startsWith('POST') ? { headers, body: payload } : { headers }
      const response = await sendRequest(call, line, init)
      assert.equal([response.status, await response.text()], [200, expected])
    },
  ),
)
