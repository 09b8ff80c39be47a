/** Reply constructors and modifiers: status, body and headers of the response. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../../src/index.ts'
import {
  accepted,
  allow,
  cacheControl,
  contentLocation,
  created,
  etag,
  expires,
  fails,
  get,
  handle,
  implement,
  int,
  json,
  language,
  lastModified,
  link,
  mediaType,
  noContent,
  notAcceptable,
  notFound,
  notModified,
  ok,
  optional,
  path,
  permanentRedirect,
  produces,
  reply,
  responds,
  routes,
  seeOther,
  internalServerError,
  temporaryRedirect,
  text,
  uri,
  variants,
  vary,
  withCookie,
  withHeader,
  withoutHeader,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

/** Returns the reply of the row of `statusRows` with this name. */
const statusOperation = pipe(
  path('/statuses/{name}'),
  get(),
  produces(text),
  responds(201, text),
  responds(202),
  responds(204),
  responds(222, text),
  responds(303),
  responds(304),
  responds(307),
  responds(308),
  responds(499),
  responds(666, json(t.type({ number: int }))),
  responds(999, text),
  fails(404, text),
  fails(406),
  fails(500, text),
)

/** Returns the reply of the row of `headerRows` with this name. */
const headerOperation = pipe(
  path('/headers/{name}'),
  get(),
  produces(text),
  responds(201),
  responds(303),
)

type StatusReply = ReturnType<HandlerOf<typeof statusOperation>>
type HeaderReply = ReturnType<HandlerOf<typeof headerOperation>>

const plain = 'text/plain;charset=UTF-8'
const newYear = new Date('2021-01-01T00:00:00.999Z')

type StatusRow = readonly [
  name: string,
  reply: StatusReply,
  status: number,
  type: string | null,
  responseBody: string,
]

const statusRows: ReadonlyArray<StatusRow> = [
  ['ok', ok('a'), 200, plain, 'a'],
  ['ok with a media type', pipe(ok('a'), mediaType('text/stef')), 200, 'text/stef', 'a'],
  [
    'ok with a media type and a charset',
    pipe(ok('a'), mediaType('text/a;charset=utf-8')),
    200,
    'text/a;charset=utf-8',
    'a',
  ],
  ['seeOther', seeOther('/a'), 303, null, ''],
  ['an unregistered status', reply(222, 'a'), 222, plain, 'a'],
  ['an error without a body', reply(499), 499, null, ''],
  [
    'a status outside the classes',
    reply(666, { number: 6 }),
    666,
    'application/json',
    '{"number":6}',
  ],
  ['the highest status', reply(999, 'a'), 999, plain, 'a'],
  ['created', created('/a', 'a'), 201, plain, 'a'],
  ['accepted', accepted(), 202, null, ''],
  ['noContent', noContent, 204, null, ''],
  ['notModified', notModified, 304, null, ''],
  ['temporaryRedirect', temporaryRedirect('/a'), 307, null, ''],
  ['permanentRedirect', permanentRedirect('/a'), 308, null, ''],
  ['notFound', notFound('a'), 404, plain, 'a'],
  ['notAcceptable', notAcceptable(), 406, null, ''],
  ['internalServerError', internalServerError('a'), 500, plain, 'a'],
]

type HeaderRow = readonly [name: string, reply: HeaderReply, header: string, value: string | null]

const headerRows: ReadonlyArray<HeaderRow> = [
  ['withHeader', pipe(ok('a'), withHeader('X-A', 'b')), 'x-a', 'b'],
  [
    'withHeader twice',
    pipe(ok('a'), withHeader('X-A', 'b'), withHeader('x-a', 'c')),
    'x-a',
    'b, c',
  ],
  [
    'withoutHeader',
    pipe(ok('a'), withHeader('X-A', 'b'), withHeader('x-a', 'c'), withoutHeader('X-A')),
    'x-a',
    null,
  ],
  [
    'withHeader after withoutHeader',
    pipe(ok('a'), withHeader('X-A', 'b'), withoutHeader('x-a'), withHeader('X-A', 'c')),
    'x-a',
    'c',
  ],
  [
    'withHeader of a Content-Encoding',
    pipe(ok('a'), withHeader('Content-Encoding', 'identity')),
    'content-encoding',
    'identity',
  ],
  ['withHeader with an empty value', pipe(ok('a'), withHeader('X-A', '')), 'x-a', ''],
  ['expires', pipe(ok('a'), expires(newYear)), 'expires', 'Fri, 01 Jan 2021 00:00:00 GMT'],
  ['the Location of seeOther', seeOther('/a?b=c'), 'location', '/a?b=c'],
  ['the Location of created', created('a'), 'location', 'a'],
  ['etag twice', pipe(ok('a'), etag('1'), etag('2')), 'etag', '"2"'],
  ['cacheControl', pipe(ok('a'), cacheControl({ maxAge: 1 })), 'cache-control', 'max-age=1'],
  ['contentLocation', pipe(ok('a'), contentLocation('/a')), 'content-location', '/a'],
  ['vary', pipe(ok('a'), vary('A'), vary('B', 'C')), 'vary', 'A, B, C'],
  ['allow', pipe(ok('a'), allow('BAR', 'FOO')), 'allow', 'BAR, FOO'],
  ['etag', pipe(ok('a'), etag('yourit')), 'etag', '"yourit"'],
  ['a weak etag', pipe(ok('a'), etag({ weak: true, opaque: 'a' })), 'etag', 'W/"a"'],
  ['language', pipe(ok('a'), language('fr')), 'content-language', 'fr'],
  ['variants', pipe(ok('a'), variants({ language: true })), 'vary', 'Accept-Language'],
  [
    'lastModified',
    pipe(ok('a'), lastModified(newYear)),
    'last-modified',
    'Fri, 01 Jan 2021 00:00:00 GMT',
  ],
  [
    'link',
    pipe(ok('a'), link({ target: 'http://a', rel: 'stef' })),
    'link',
    '<http://a>; rel="stef"',
  ],
  ['created with a relative location', created('../a'), 'location', '../a'],
  [
    'created with an encoded path segment',
    created(uri`/lang/${'en/us'}`),
    'location',
    '/lang/en%2Fus',
  ],
  [
    'withHeader of Transfer-Encoding',
    pipe(ok('a'), withHeader('Transfer-Encoding', 'gzip, chunked')),
    'transfer-encoding',
    null,
  ],
  [
    'withHeader of Content-Length',
    pipe(ok('abc'), withHeader('content-length', '1')),
    'content-length',
    '3',
  ],
  ['withHeader of Upgrade', pipe(ok('a'), withHeader('Upgrade', 'a')), 'upgrade', null],
]

const statusReplies = new Map(statusRows.map(([name, returned]) => [name, returned]))
const headerReplies = new Map(headerRows.map(([name, returned]) => [name, returned]))

const api = routes({
  statuses: implement(
    statusOperation,
    ({ path: { name } }) => statusReplies.get(name) ?? 'no such row',
  ),
  headers: implement(
    headerOperation,
    ({ path: { name } }) => headerReplies.get(name) ?? 'no such row',
  ),
  optional: pipe(
    path('/optional'),
    get(),
    produces(json(optional(int))),
    handle(() => ok(undefined)),
  ),
  cookies: pipe(
    path('/cookies'),
    get(),
    produces(text),
    handle(() =>
      pipe(
        ok('a'),
        withCookie({ name: 'a', value: 'é', path: '/', httpOnly: true, sameSite: 'lax' }),
        withCookie({ name: 'b', value: '', domain: 'a.test', maxAge: 0, secure: true }),
        withCookie({ name: 'c', value: '', expires: newYear }),
      ),
    ),
  ),
  dated: pipe(
    path('/dated'),
    get(),
    produces(text),
    handle(() => withHeader('Date', 'never')(ok('a'))),
  ),
})

contract('replies', api, (test, call) => {
  table<StatusRow>(test, statusRows, async (name, _, status, type, responseBody) => {
    const response = await sendRequest(call, `GET /statuses/${encodeURIComponent(name)}`)
    assert.is(response.status, status)
    assert.is(response.headers.get('content-type'), type)
    assert.is(await response.text(), responseBody)
  })

  table<HeaderRow>(test, headerRows, async (name, _, header, value) => {
    const response = await sendRequest(call, `GET /headers/${encodeURIComponent(name)}`)
    assert.is(response.headers.get(header), value)
  })

  test('withCookie adds a Set-Cookie header for each cookie', async () => {
    const response = await sendRequest(call, 'GET /cookies')
    assert.equal(response.headers.getSetCookie(), [
      'a=%C3%A9; Path=/; HttpOnly; SameSite=Lax',
      'b=; Max-Age=0; Domain=a.test; Secure',
      'c=; Expires=Fri, 01 Jan 2021 00:00:00 GMT',
    ])
  })

  test('a reply value can be returned for several requests', async () => {
    const line = `GET /headers/${encodeURIComponent('withHeader twice')}`
    for (const _ of [1, 2]) assert.is((await sendRequest(call, line)).headers.get('x-a'), 'b, c')
  })

  test('ok(undefined) sends 200 without a body', async () => {
    const response = await sendRequest(call, 'GET /optional')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), null)
    assert.is(await response.text(), '')
  })

  test('withHeader does not replace Date', async () =>
    assert.is.not((await sendRequest(call, 'GET /dated')).headers.get('date'), 'never'))
})
