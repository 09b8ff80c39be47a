/** The statuses of the table of errors, each with what has to be said beside it. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  BadRequest,
  NotFound,
  Redirection,
  etag,
  evaluatePreconditions,
  fails,
  form,
  get,
  handle,
  int,
  json,
  ok,
  part,
  path,
  post,
  produces,
  put,
  reply,
  requestFilter,
  responds,
  routes,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, multipart } from '../support/multipart.ts'

const tag = { etag: 'v1' }

const tree = routes({
  read: pipe(
    path('/book'),
    get(),
    produces(text),
    responds(304),
    fails(412),
    handle((_, context) =>
      pipe(
        evaluatePreconditions(context, tag),
        O.getOrElseW(() => pipe(ok('Emma'), etag('v1'))),
      ),
    ),
  ),
  write: pipe(
    path('/book'),
    put(),
    produces(text),
    responds(304),
    fails(412),
    handle((_, context) =>
      pipe(
        evaluatePreconditions(context, tag),
        O.getOrElseW(() => ok('written')),
      ),
    ),
  ),
  thrown: pipe(
    path('/thrown/{status}', { status: int }),
    get(),
    produces(text),
    handle(({ path: { status } }): string => {
      if (status === 400) throw new BadRequest('hidden')
      if (status === 303) throw new Redirection(303, '/book')
      throw new NotFound('hidden', { detail: 'There is none.' })
    }),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ meta: part(json(t.type({ n: int }))), note: string }),
    produces(text),
    handle(() => 'read'),
  ),
  filtered: pipe(
    routes({
      one: pipe(
        path('/filtered'),
        get(),
        produces(text),
        handle(() => 'never'),
      ),
    }),
    withFilter(requestFilter(() => reply(405))),
  ),
})

const sent = (...parts: ReadonlyArray<string>): RequestInit => ({
  body: Buffer.from(formOf(...parts)),
  headers: { 'Content-Type': multipart },
})
const given = (headers: Readonly<Record<string, string>>): RequestInit => ({ headers })

type Row = readonly [
  title: string,
  line: string,
  init: RequestInit,
  status: number,
  field: string,
  value: string | null,
  content: RegExp,
]

const nothing = /^$/

const rows: ReadonlyArray<Row> = [
  ['an error that is thrown', 'GET /thrown/400', {}, 400, 'location', null, /"status":400\b/],
  ['one with a detail', 'GET /thrown/404', {}, 404, 'location', null, /There is none/],
  ['a redirection', 'GET /thrown/303', {}, 303, 'location', '/book', nothing],
  [
    'a part that cannot be read',
    'POST /form',
    sent(field('meta', '{'), field('note', 'a')),
    400,
    'accept-post',
    null,
    /"name":"meta"/,
  ],
  [
    'a part that is too large',
    'POST /form',
    sent(field('meta', '{"n":1}'), field('note', 'x'.repeat(2049))),
    413,
    'accept-post',
    null,
    /max-form-attribute-size/,
  ],
  ['unchanged', 'GET /book', given({ 'If-None-Match': '"v1"' }), 304, 'etag', '"v1"', nothing],
  [
    'a precondition that fails',
    'PUT /book',
    given({ 'If-Match': '"v0"' }),
    412,
    'etag',
    '"v1"',
    nothing,
  ],
  ['one that holds', 'PUT /book', given({ 'If-Match': '"v1"' }), 200, 'etag', null, /written/],
  ['a filter that answers', 'GET /filtered', {}, 405, 'content-type', null, nothing],
  ['another method', 'DELETE /book', {}, 405, 'allow', 'GET, PUT, HEAD, OPTIONS', /"status":405\b/],
  ['a path that names nothing', 'GET /thrown/x', {}, 404, 'allow', null, /"name":"status"/],
]

contract('the table of errors', tree, (test, call) =>
  table<Row>(test, rows, async (_, line, init, status, name, value, content) => {
    const response = await ask(call, line, init)
    assert.is(response.status, status)
    assert.is(response.headers.get(name), value)
    assert.match(await response.text(), content)
  }),
)
