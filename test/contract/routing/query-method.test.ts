/** The method QUERY (RFC 10008): each test is a rule of the section that its title names. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  conditional,
  contentLocation,
  cors,
  file,
  form,
  get,
  handle,
  html,
  json,
  method,
  ok,
  optional,
  path,
  post,
  produces,
  routes,
  seeOther,
  string,
  text,
  UnprocessableContent,
  withEtag,
  responds,
  withFilter,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract, valueContract } from '../../support/contract.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'

const Search = t.type({ title: string })
const search = method('QUERY')
const contacts = path('/contacts')

const runs = { count: 0 }
const api = routes({
  read: pipe(
    contacts,
    get(),
    produces(text),
    handle(() => 'all'),
  ),
  find: pipe(
    contacts,
    search(),
    body(json(Search), as('application/sql')(text)),
    produces(json(string), html),
    handle(({ body: sent }) => {
      runs.count++
      if (typeof sent === 'string') return sent
      if (sent.title === '?') throw new UnprocessableContent('unknown title')
      return sent.title
    }),
  ),
  add: pipe(
    contacts,
    post(),
    body(json(Search)),
    responds(204),
    handle(() => undefined),
  ),
  findBy: pipe(
    path('/forms'),
    search(),
    form({ title: string }),
    produces(text),
    handle(({ form: { title } }) => title),
  ),
  findAny: pipe(
    path('/any'),
    search(),
    body(json(optional(Search))),
    produces(text),
    handle(({ body: sent }) => sent?.title ?? 'nothing'),
  ),
  other: pipe(
    path('/other'),
    get(),
    produces(text),
    handle(() => 'other'),
  ),
})

const types = 'application/json, application/sql'

contract('QUERY', api, (test, call) => {
  const query = (content: string, headers: Record<string, string>, target = '/contacts') =>
    sendRequest(call, `QUERY ${target}`, { headers, body: new TextEncoder().encode(content) })
  const asJson = { 'Content-Type': 'application/json' }

  type Row = readonly [
    title: string,
    content: string,
    headers: Record<string, string>,
    status: number,
    acceptQuery: string | null,
  ]
  table<Row>(
    test,
    [
      ['2: content with its media type is processed', '{"title":"Emma"}', asJson, 200, types],
      [
        '2: parameters of the media type are accepted',
        '{"title":"Emma"}',
        { 'Content-Type': 'application/json;charset=utf-8' },
        200,
        types,
      ],
      [
        '2: another supported media type',
        'select 1',
        { 'Content-Type': 'application/sql' },
        200,
        types,
      ],
      ['2.1: no media type', '{"title":"Emma"}', {}, 400, types],
      ['2.1: a malformed media type', '{"title":"Emma"}', { 'Content-Type': 'json' }, 415, types],
      [
        '2.1: an unsupported media type',
        '{"title":"Emma"}',
        { 'Content-Type': 'text/plain' },
        415,
        types,
      ],
      ['2.1: a media range', '{"title":"Emma"}', { 'Content-Type': 'application/*' }, 415, types],
      ['2.1: content that is inconsistent with the media type', 'select 1', asJson, 400, null],
      ['2.1: no content with a media type', '', asJson, 400, null],
      ['2.1: content of another structure', '{}', asJson, 400, null],
      ['2.1: a query that cannot be processed', '{"title":"?"}', asJson, 422, null],
      [
        '2.1: an unsupported media type of the response',
        '{"title":"Emma"}',
        { ...asJson, Accept: 'image/png' },
        406,
        null,
      ],
    ],
    async (_, content, headers, status, acceptQuery) => {
      const response = await query(content, headers)
      assert.is(response.status, status)
      if (acceptQuery !== null) assert.is(response.headers.get('accept-query'), acceptQuery)
    },
  )
  test('2.1: the handler of a rejected query does not run', async () => {
    const before = runs.count
    await query('{"title":"Emma"}', {})
    assert.is(runs.count, before)
  })
  test('2.1: the problem document lists the media types', async () => {
    const response = await query('{"title":"Emma"}', {})
    const { detail, supported } = (await response.json()) as Record<string, unknown>
    assert.equal(
      [detail, supported],
      ['Missing Content-Type header.', ['application/json', 'application/sql']],
    )
  })
  test('2.1: the response 415 also has Accept', async () => {
    const response = await query('a', { 'Content-Type': 'text/plain' })
    assert.is(response.headers.get('accept'), types)
  })
  test('2.1: a query without content and media type is rejected even if the content is optional', async () => {
    assert.is((await sendRequest(call, 'QUERY /any')).status, 400)
    assert.is(await (await query('{"title":"Emma"}', asJson, '/any')).text(), 'Emma')
  })
  test('2: forms are queries', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    assert.is(await (await query('title=Emma', headers, '/forms')).text(), 'Emma')
    assert.is((await query('title=Emma', {}, '/forms')).status, 400)
  })
  table<readonly [line: string, status: number, acceptQuery: string | null]>(
    test,
    [
      ['GET /contacts', 200, types],
      ['HEAD /contacts', 200, types],
      ['OPTIONS /contacts', 204, types],
      ['PUT /contacts', 405, types],
      ['OPTIONS /forms', 204, 'application/x-www-form-urlencoded, multipart/form-data'],
      ['GET /forms', 405, 'application/x-www-form-urlencoded, multipart/form-data'],
      ['GET /other', 200, null],
      ['OPTIONS /other', 204, null],
    ],
    async (line, status, acceptQuery) => {
      const response = await sendRequest(call, line)
      assert.equal([response.status, response.headers.get('accept-query')], [status, acceptQuery])
    },
  )
  test('3: a query component does not change Accept-Query', async () =>
    assert.is((await sendRequest(call, 'GET /contacts?a=b')).headers.get('accept-query'), types))
  test('the response to OPTIONS lists QUERY in Allow', async () =>
    assert.match(
      (await sendRequest(call, 'OPTIONS /contacts')).headers.get('allow') ?? '',
      /\bQUERY\b/,
    ))
  test('QUERY of a resource that does not support it returns 405', async () => {
    assert.is((await query('{}', asJson, '/other')).status, 405)
  })
  test('POST without Content-Type is still accepted', async () => {
    const content = new TextEncoder().encode('{"title":"Emma"}')
    const response = await sendRequest(call, 'POST /contacts', { body: content })
    assert.is(response.status, 204)
  })
})

const versions = pipe(
  path('/books'),
  search(),
  body(text),
  produces(text),
  conditional({ etag: ({ body: sent }) => ({ weak: false, opaque: sent }) }),
  handle(({ body: sent }) => `books with ${sent}`),
)
const tagged = pipe(
  path('/tagged'),
  search(),
  body(text),
  produces(withEtag('strong')(text)),
  handle(({ body: sent }) => `tagged ${sent}`),
)
const moved = pipe(
  path('/moved'),
  search(),
  body(text),
  responds(303),
  handle(() => seeOther('/results/1')),
)
const located = pipe(
  path('/located'),
  search(),
  body(text),
  produces(text),
  handle(({ body: sent }) => pipe(ok(sent), contentLocation('/results/1'))),
)
const stored = pipe(
  path('/stored'),
  search(),
  body(text),
  produces(file),
  handle(() => 'package.json'),
)
const conditionals = routes({ versions, tagged, moved, located })

contract('QUERY: conditions, ranges and locations', conditionals, (test, call) => {
  const query = (target: string, headers: Record<string, string> = {}) =>
    sendRequest(call, `QUERY ${target}`, {
      headers: { 'Content-Type': 'text/plain', ...headers },
      body: 'a',
    })
  test('2.6: If-None-Match with the current tag returns 304', async () => {
    const first = await query('/books')
    assert.equal([first.status, first.headers.get('etag')], [200, '"a"'])
    const again = await query('/books', { 'If-None-Match': '"a"' })
    assert.equal([again.status, await again.text()], [304, ''])
    assert.is((await query('/books', { 'If-None-Match': '"b"' })).status, 200)
  })
  test('2.6: If-Match with another tag returns 412', async () =>
    assert.is((await query('/books', { 'If-Match': '"b"' })).status, 412))
  test('2.6: withEtag computes a tag of the result', async () => {
    const etag = (await query('/tagged')).headers.get('etag') ?? ''
    assert.is.not(etag, '')
    assert.is((await query('/tagged', { 'If-None-Match': etag })).status, 304)
  })
  test('2.5: the result can be a redirect', async () => {
    const response = await query('/moved')
    assert.equal([response.status, response.headers.get('location')], [303, '/results/1'])
  })
  test('2.3: the result can have a Content-Location', async () =>
    assert.is((await query('/located')).headers.get('content-location'), '/results/1'))
})

contract('QUERY: ranges', routes({ stored }), (test, call) => {
  test('2.8: a range of the result returns 206', async () => {
    const response = await sendRequest(call, 'QUERY /stored', {
      headers: { 'Content-Type': 'text/plain', Range: 'bytes=0-0' },
      body: 'a',
    })
    assert.equal([response.status, await response.text()], [206, '{'])
  })
})

const app = 'https://app.example'
const shared = pipe(api, withFilter(cors({ origins: [app], methods: ['GET', 'QUERY'] })))
const readable = pipe(api, withFilter(cors({ origins: [app], methods: ['GET'] })))

valueContract('QUERY and cors that lists QUERY', shared, (test, call) => {
  test('4: a preflight request allows QUERY', async () => {
    const response = await sendRequest(call, 'OPTIONS /contacts', {
      headers: { Origin: app, 'Access-Control-Request-Method': 'QUERY' },
    })
    assert.is(response.headers.get('access-control-allow-methods'), 'GET, QUERY')
  })
})

valueContract('QUERY and cors that does not list QUERY', readable, (test, call) => {
  test('4: QUERY is not a safelisted method', async () => {
    const init = {
      headers: { Origin: app, 'Content-Type': 'application/json' },
      body: '{"title":"Emma"}',
    }
    assert.is((await responseTo(call, 'QUERY /contacts', init))[0], 403)
  })
})
