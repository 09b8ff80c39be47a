/** Replies on the wire: their status, their content and their header fields. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../src/index.ts'
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
  serverError,
  temporaryRedirect,
  text,
  uri,
  variants,
  vary,
  withCookie,
  withHeader,
  withoutHeader,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

/** The name of a row of `statuses` selects the reply. */
const replied = pipe(
  path('/replies/{name}'),
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

/** The same for `fields`. */
const described = pipe(path('/fields/{name}'), get(), produces(text), responds(201), responds(303))

type Replied = ReturnType<HandlerOf<typeof replied>>
type Described = ReturnType<HandlerOf<typeof described>>

const plain = 'text/plain;charset=UTF-8'
const newYear = new Date('2021-01-01T00:00:00.999Z')

type StatusRow = readonly [
  name: string,
  replied: Replied,
  status: number,
  type: string | null,
  content: string,
]

const statuses: ReadonlyArray<StatusRow> = [
  ['ok', ok('a'), 200, plain, 'a'],
  ['ok with a type, word for word', pipe(ok('a'), mediaType('text/stef')), 200, 'text/stef', 'a'],
  [
    'or with a charset',
    pipe(ok('a'), mediaType('text/a;charset=utf-8')),
    200,
    'text/a;charset=utf-8',
    'a',
  ],
  ['seeOther', seeOther('/a'), 303, null, ''],
  ['a status between the registered ones', reply(222, 'a'), 222, plain, 'a'],
  ['an error without content', reply(499), 499, null, ''],
  ['a status of no class', reply(666, { number: 6 }), 666, 'application/json', '{"number":6}'],
  ['the last status', reply(999, 'a'), 999, plain, 'a'],
  ['created', created('/a', 'a'), 201, plain, 'a'],
  ['accepted', accepted(), 202, null, ''],
  ['noContent', noContent, 204, null, ''],
  ['notModified', notModified, 304, null, ''],
  ['temporaryRedirect', temporaryRedirect('/a'), 307, null, ''],
  ['permanentRedirect', permanentRedirect('/a'), 308, null, ''],
  ['notFound', notFound('a'), 404, plain, 'a'],
  ['notAcceptable', notAcceptable(), 406, null, ''],
  ['serverError', serverError('a'), 500, plain, 'a'],
]

type FieldRow = readonly [name: string, described: Described, field: string, value: string | null]

const fields: ReadonlyArray<FieldRow> = [
  ['withHeader', pipe(ok('a'), withHeader('X-A', 'b')), 'x-a', 'b'],
  ['adds', pipe(ok('a'), withHeader('X-A', 'b'), withHeader('x-a', 'c')), 'x-a', 'b, c'],
  [
    'withoutHeader',
    pipe(ok('a'), withHeader('X-A', 'b'), withHeader('x-a', 'c'), withoutHeader('X-A')),
    'x-a',
    null,
  ],
  [
    'in the place of others',
    pipe(ok('a'), withHeader('X-A', 'b'), withoutHeader('x-a'), withHeader('X-A', 'c')),
    'x-a',
    'c',
  ],
  [
    'of a coding',
    pipe(ok('a'), withHeader('Content-Encoding', 'identity')),
    'content-encoding',
    'identity',
  ],
  ['may be empty', pipe(ok('a'), withHeader('X-A', '')), 'x-a', ''],
  [
    'expires sends an IMF-fixdate',
    pipe(ok('a'), expires(newYear)),
    'expires',
    'Fri, 01 Jan 2021 00:00:00 GMT',
  ],
  ['seeOther', seeOther('/a?b=c'), 'location', '/a?b=c'],
  ['created', created('a'), 'location', 'a'],
  ['the last of a field that there is once', pipe(ok('a'), etag('1'), etag('2')), 'etag', '"2"'],
  ['cacheControl', pipe(ok('a'), cacheControl({ maxAge: 1 })), 'cache-control', 'max-age=1'],
  ['contentLocation', pipe(ok('a'), contentLocation('/a')), 'content-location', '/a'],
  ['vary', pipe(ok('a'), vary('A'), vary('B', 'C')), 'vary', 'A, B, C'],
  ['allow', pipe(ok('a'), allow('BAR', 'FOO')), 'allow', 'BAR, FOO'],
  ['etag', pipe(ok('a'), etag('yourit')), 'etag', '"yourit"'],
  ['etag, weak', pipe(ok('a'), etag({ weak: true, opaque: 'a' })), 'etag', 'W/"a"'],
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
  ['a relative location stays as it is', created('../a'), 'location', '../a'],
  [
    'a value in a location is one segment',
    created(uri`/lang/${'en/us'}`),
    'location',
    '/lang/en%2Fus',
  ],
  [
    'Transfer-Encoding is not sent',
    pipe(ok('a'), withHeader('Transfer-Encoding', 'gzip, chunked')),
    'transfer-encoding',
    null,
  ],
  [
    'nor a Content-Length of its own',
    pipe(ok('abc'), withHeader('content-length', '1')),
    'content-length',
    '3',
  ],
  [
    'nor what else belongs to the connection',
    pipe(ok('a'), withHeader('Upgrade', 'a')),
    'upgrade',
    null,
  ],
]

const replies = new Map(statuses.map(([name, answer]) => [name, answer]))
const descriptions = new Map(fields.map(([name, answer]) => [name, answer]))

const api = routes({
  replied: implement(replied, ({ path: { name } }) => replies.get(name) ?? 'no such row'),
  described: implement(described, ({ path: { name } }) => descriptions.get(name) ?? 'no such row'),
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
  table<StatusRow>(test, statuses, async (name, _, status, type, content) => {
    const response = await ask(call, `GET /replies/${encodeURIComponent(name)}`)
    assert.is(response.status, status)
    assert.is(response.headers.get('content-type'), type)
    assert.is(await response.text(), content)
  })

  table<FieldRow>(test, fields, async (name, _, field, value) => {
    const response = await ask(call, `GET /fields/${encodeURIComponent(name)}`)
    assert.is(response.headers.get(field), value)
  })

  test('withCookie, a field for each cookie', async () => {
    const response = await ask(call, 'GET /cookies')
    assert.equal(response.headers.getSetCookie(), [
      'a=%C3%A9; Path=/; HttpOnly; SameSite=Lax',
      'b=; Max-Age=0; Domain=a.test; Secure',
      'c=; Expires=Fri, 01 Jan 2021 00:00:00 GMT',
    ])
  })

  test('a reply is a value: it is sent as often as it is returned', async () => {
    const line = `GET /fields/${encodeURIComponent('adds')}`
    for (const _ of [1, 2]) assert.is((await ask(call, line)).headers.get('x-a'), 'b, c')
  })

  test('a reply with nothing where content is declared', async () => {
    const response = await ask(call, 'GET /optional')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), null)
    assert.is(await response.text(), '')
  })

  test('nor a Date of its own', async () =>
    assert.is.not((await ask(call, 'GET /dated')).headers.get('date'), 'never'))
})
