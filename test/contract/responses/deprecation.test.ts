/** `deprecated`: the headers `Deprecation`, `Sunset` and `Link` of all responses of an operation. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  Conflict,
  authenticated,
  basic,
  body,
  deprecated,
  get,
  handle,
  int,
  json,
  jsonStream,
  limits,
  link,
  ok,
  path,
  post,
  prefix,
  produces,
  query,
  requestFilter,
  reply,
  responseFilter,
  routes,
  segments,
  string,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { contract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { sendRequest } from '../../support/send-request.ts'

const read = (target: string) => pipe(path(target), get(), produces(text))

const book = pipe(
  path('/books/{id}', { id: int }),
  get(),
  query({ page: int }),
  produces(text),
  handle(({ path: { id } }) => String(id)),
)
const file = pipe(
  path('/files/{name}', { name: segments(string) }),
  get(),
  produces(text),
  handle(() => 'file'),
)

const old = routes({
  book: pipe(book, deprecated({ replacedBy: book })),
  file: pipe(file, deprecated({ replacedBy: file })),
  current: pipe(
    read('/current'),
    deprecated(false),
    handle(() => 'current'),
  ),
  only: pipe(
    read('/only'),
    deprecated(),
    handle(() => 'only'),
  ),
  later: pipe(
    read('/later'),
    deprecated({ sunset: '2030-01-01T12:30:00+02:00' }),
    handle(() => 'later'),
  ),
  linked: pipe(
    read('/linked'),
    deprecated({
      replacedBy: 'https://new.example/a b',
      deprecationDocs: '/docs/deprecation',
      sunsetDocs: '/docs/sunset',
    }),
    handle(() =>
      pipe(ok('linked'), link({ target: '/other', rel: 'next' }), withHeader('Sunset', 'own')),
    ),
  ),
  throws: pipe(
    read('/throws'),
    handle(() => {
      throw new Error('a defect')
    }),
  ),
  conflict: pipe(
    read('/conflict'),
    handle(() => {
      throw new Conflict('no')
    }),
  ),
  undeclared: pipe(
    read('/undeclared'),
    handle(() => reply(299, 'x') as never),
  ),
  store: pipe(
    path('/store'),
    post(),
    body(json(string)),
    handle(() => undefined),
  ),
  late: pipe(
    read('/late'),
    limits({ timeout: '10ms' }),
    handle(() => new Promise<string>(() => {})),
  ),
  lines: pipe(
    path('/lines'),
    get(),
    produces(jsonStream(int)),
    handle(async function* () {
      yield 1
      yield 2
    }),
  ),
  secret: pipe(
    routes({
      operation: pipe(
        read('/secret'),
        authenticated,
        handle(() => 'secret'),
      ),
    }),
    withFilter(basic({ realm: 'r', verify: () => null })),
  ),
  filtered: pipe(
    routes({
      operation: pipe(
        read('/filtered'),
        handle(() => 'x'),
      ),
    }),
    withFilter(
      responseFilter(() => {
        throw new Error('a defect')
      }),
    ),
  ),
  answered: pipe(
    routes({
      operation: pipe(
        read('/answered'),
        handle(() => 'x'),
      ),
    }),
    withFilter(requestFilter(() => reply(202, 'early'))),
  ),
})

const api = routes({
  v1: pipe(
    old,
    prefix('/v1'),
    deprecated({ since: '2026-01-01', sunset: new Date('2026-11-01T00:00:00.999Z') }),
  ),
  v2: pipe(routes({ book, file }), prefix('/v2')),
})

const since = '@1767225600'
const sunset = 'Sun, 01 Nov 2026 00:00:00 GMT'
const links = {
  book: '</v2/books/7>; rel="successor-version"',
  file: '</v2/files/a/b%20c>; rel="successor-version"',
  linked:
    '</other>; rel="next", </docs/deprecation>; rel="deprecation", </docs/sunset>; rel="sunset", <https://new.example/a%20b>; rel="successor-version"',
}

type Row = readonly [
  title: string,
  line: string,
  status: number,
  deprecation: string | null,
  sunset: string | null,
  links: string | null,
]

const rows: ReadonlyArray<Row> = [
  ['a success', 'GET /v1/books/7?page=1', 200, since, sunset, links.book],
  ['HEAD', 'HEAD /v1/books/7?page=1', 200, since, sunset, links.book],
  ['an invalid query', 'GET /v1/books/7?page=x', 400, since, sunset, links.book],
  [
    'a path variable with several segments',
    'GET /v1/files/a/b%20c',
    200,
    since,
    sunset,
    links.file,
  ],
  [
    'an invalid path variable',
    'GET /v1/books/x?page=1',
    404,
    since,
    sunset,
    '</v2/books/x>; rel="successor-version"',
  ],
  ['an operation that is not deprecated', 'GET /v1/current', 200, null, null, null],
  ['the replacement', 'GET /v2/books/7?page=1', 200, null, null, null],
  ['the options of the tree', 'GET /v1/only', 200, since, sunset, null],
  [
    'an option that replaces one of the tree',
    'GET /v1/later',
    200,
    since,
    'Tue, 01 Jan 2030 10:30:00 GMT',
    null,
  ],
  ['headers of the handler', 'GET /v1/linked', 200, since, 'own', links.linked],
  ['an unexpected error', 'GET /v1/throws', 500, since, sunset, null],
  ['an HttpError', 'GET /v1/conflict', 409, since, sunset, null],
  ['an undeclared status', 'GET /v1/undeclared', 500, since, sunset, null],
  ['an invalid body', 'POST /v1/store x', 400, since, sunset, null],
  ['a timeout', 'GET /v1/late', 503, since, sunset, null],
  ['a stream', 'GET /v1/lines', 200, since, sunset, null],
  ['a missing authentication', 'GET /v1/secret', 401, since, sunset, null],
  ['an error of a response filter', 'GET /v1/filtered', 500, since, sunset, null],
  ['the reply of a request filter', 'GET /v1/answered', 202, since, sunset, null],
  ['an undeclared method', 'DELETE /v1/only', 405, null, null, null],
]

contract('a deprecated operation', api, (test, call) =>
  table<Row>(test, rows, async (_, line, status, deprecation, end, successor) => {
    const [method = '', target = '', content] = line.split(' ')
    const response = await sendRequest(
      call,
      `${method} ${target}`,
      content === undefined
        ? {}
        : { body: content, headers: { 'Content-Type': 'application/json' } },
    )
    assert.is(response.status, status)
    assert.is(response.headers.get('Deprecation'), deprecation)
    assert.is(response.headers.get('Sunset'), end)
    assert.is(response.headers.get('Link'), successor)
    await response.text()
  }),
)

contract(
  'the replacement of a deprecated operation, with fw.rest.path and a public URL',
  api,
  (test, call) =>
    test('has a URL that starts with the public URL', async () => {
      const response = await sendRequest(call, 'GET /api/v1/books/7?page=1')
      assert.is(
        response.headers.get('Link'),
        '<https://public.example/api/v2/books/7>; rel="successor-version"',
      )
    }),
  { 'fw.rest.path': '/api', 'fw.http.public-url': 'https://public.example' },
)
