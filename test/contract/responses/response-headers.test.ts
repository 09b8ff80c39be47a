/** `responseHeaders` and `withHeaders`: declared headers of responses. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  NotFound,
  bytes,
  date,
  etag,
  fails,
  get,
  handle,
  int,
  json,
  jsonStream,
  list,
  noContent,
  ok,
  optional,
  path,
  produces,
  reply,
  responds,
  responseFilter,
  responseHeaders,
  routes,
  separated,
  string,
  text,
  withFilter,
  withHeader,
  withHeaders,
} from '../../../src/index.ts'
import { contract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { sendRequest } from '../../support/send-request.ts'

const ids = (target: string) =>
  pipe(path(target), get(), produces(json(list(int))), responseHeaders({ xTotalCount: int }))

const api = routes({
  list: pipe(
    ids('/list'),
    handle(() => pipe(ok([1]), withHeaders({ xTotalCount: 70 }), etag('v1'))),
  ),
  asText: pipe(
    ids('/as-text'),
    handle(() => pipe(ok([1]), withHeader('x-total-count', '7')) as never),
  ),
  missing: pipe(
    ids('/missing'),
    handle(() => [1] as never),
  ),
  missingLater: pipe(
    ids('/missing-later'),
    handle(async () => [1] as never),
  ),
  invalid: pipe(
    ids('/invalid'),
    handle(() => pipe(ok([1]), withHeaders({ xTotalCount: 'many' })) as never),
  ),
  broken: pipe(
    path('/broken'),
    get(),
    produces(text),
    responseHeaders({ 'X-Title': string }),
    handle(() => pipe(ok('x'), withHeaders({ 'X-Title': 'a\r\nSet-Cookie: b' }))),
  ),
  thrown: pipe(
    ids('/thrown'),
    handle(() => {
      throw new NotFound('no')
    }),
  ),
  several: pipe(
    path('/several'),
    get(),
    produces(text),
    responseHeaders({ 'X-Page': optional(int), tags: separated(',')(list(string)) }),
    responseHeaders({ expires: date }),
    handle(() =>
      pipe(
        ok('x'),
        withHeaders({ tags: ['a', 'b'] }),
        withHeaders({ expires: new Date('2026-01-01T00:00:00Z') }),
      ),
    ),
  ),
  empty: pipe(
    path('/empty'),
    get(),
    responseHeaders({ xCount: int }),
    handle(() => pipe(noContent, withHeaders({ xCount: 3 }))),
  ),
  optional: pipe(
    path('/optional'),
    get(),
    produces(text),
    responseHeaders({ xPage: optional(int) }),
    handle(() => 'x'),
  ),
  byStatus: pipe(
    path('/status/{n}', { n: int }),
    get(),
    produces(text),
    responds(202),
    fails(429, text),
    responseHeaders(202, { xJob: string }),
    responseHeaders(429, { retryAfter: int }),
    handle(({ path: { n } }) =>
      n === 0
        ? 'x'
        : n === 1
          ? pipe(reply(202), withHeaders({ xJob: 'j' }))
          : n === 2
            ? pipe(reply(429, 'slow down'), withHeaders({ retryAfter: 9 }))
            : E.left(pipe(reply(429, 'slow down'), withHeaders({ retryAfter: 8 }))),
    ),
  ),
  stream: pipe(
    path('/stream'),
    get(),
    produces(jsonStream(int)),
    responseHeaders({ xTotalCount: int }),
    handle(() => pipe(ok([1, 2]), withHeaders({ xTotalCount: 2 }))),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(bytes),
    responseHeaders({ xTotalCount: int }),
    handle(async () => E.right(pipe(ok(new Uint8Array(3)), withHeaders({ xTotalCount: 3 })))),
  ),
  filtered: pipe(
    routes({
      operation: pipe(
        ids('/filtered'),
        handle(() => pipe(ok([1]), withHeaders({ xTotalCount: 1 }))),
      ),
    }),
    withFilter(
      responseFilter((response) =>
        withHeader('X-Seen', String(response.headers.includes('X-Total-Count')))(response),
      ),
    ),
  ),
})

type Row = readonly [
  title: string,
  line: string,
  status: number,
  headers: Readonly<Record<string, string | null>>,
]

const rows: ReadonlyArray<Row> = [
  ['a header and an ETag', 'GET /list', 200, { 'X-Total-Count': '70', ETag: '"v1"' }],
  ['HEAD', 'HEAD /list', 200, { 'X-Total-Count': '70' }],
  ['a header that is set as text', 'GET /as-text', 200, { 'X-Total-Count': '7' }],
  ['a missing header', 'GET /missing', 500, { 'X-Total-Count': null }],
  ['a missing header after a promise', 'GET /missing-later', 500, { 'X-Total-Count': null }],
  ['an invalid value', 'GET /invalid', 500, { 'X-Total-Count': null }],
  ['a value with a line break', 'GET /broken', 500, { 'X-Title': null, 'Set-Cookie': null }],
  ['an error', 'GET /thrown', 404, { 'X-Total-Count': null }],
  [
    'several declarations',
    'GET /several',
    200,
    { 'X-Page': null, Tags: 'a,b', Expires: '2026-01-01T00:00:00.000Z' },
  ],
  ['a response without a body', 'GET /empty', 204, { 'X-Count': '3' }],
  ['an optional header', 'GET /optional', 200, { 'X-Page': null }],
  ['no header for another status', 'GET /status/0', 200, { 'X-Job': null, 'Retry-After': null }],
  ['a header of one status', 'GET /status/1', 202, { 'X-Job': 'j', 'Retry-After': null }],
  ['a header of a failure', 'GET /status/2', 429, { 'X-Job': null, 'Retry-After': '9' }],
  ['a header of a failure in a Left', 'GET /status/3', 429, { 'Retry-After': '8' }],
  ['a stream', 'GET /stream', 200, { 'X-Total-Count': '2' }],
  ['bytes', 'GET /bytes', 200, { 'X-Total-Count': '3' }],
  [
    'a response filter, which sees the header',
    'GET /filtered',
    200,
    { 'X-Total-Count': '1', 'X-Seen': 'true' },
  ],
]

contract('declared response headers', api, (test, call) =>
  table<Row>(test, rows, async (_, line, status, headers) => {
    const response = await sendRequest(call, line)
    assert.is(response.status, status)
    for (const [name, value] of Object.entries(headers))
      assert.is(response.headers.get(name), value, name)
    await response.text()
  }),
)
