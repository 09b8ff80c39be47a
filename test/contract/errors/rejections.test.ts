/** Error responses by status, each with its headers and body. */
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'

const validators = { etag: 'v1' }

const tree = routes({
  read: pipe(
    path('/book'),
    get(),
    produces(text),
    responds(304),
    fails(412),
    handle((_, context) =>
      pipe(
        evaluatePreconditions(context, validators),
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
        evaluatePreconditions(context, validators),
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
      throw new NotFound('hidden', { detail: 'No such item.' })
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
      operation: pipe(
        path('/filtered'),
        get(),
        produces(text),
        handle(() => 'never'),
      ),
    }),
    withFilter(requestFilter(() => reply(405))),
  ),
})

const formInit = (...parts: ReadonlyArray<string>): RequestInit => ({
  body: Buffer.from(encodeMultipart(...parts)),
  headers: { 'Content-Type': multipartType },
})
const headersInit = (headers: Readonly<Record<string, string>>): RequestInit => ({ headers })

type Row = readonly [
  title: string,
  line: string,
  init: RequestInit,
  status: number,
  header: string,
  value: string | null,
  content: RegExp,
]

const empty = /^$/

const rows: ReadonlyArray<Row> = [
  ['a thrown error', 'GET /thrown/400', {}, 400, 'location', null, /"status":400\b/],
  ['a thrown error with a detail', 'GET /thrown/404', {}, 404, 'location', null, /No such item/],
  ['a thrown redirection', 'GET /thrown/303', {}, 303, 'location', '/book', empty],
  [
    'a malformed part',
    'POST /form',
    formInit(encodePart('meta', '{'), encodePart('note', 'a')),
    400,
    'accept-post',
    null,
    /"name":"meta"/,
  ],
  [
    'a part above its limit',
    'POST /form',
    formInit(encodePart('meta', '{"n":1}'), encodePart('note', 'x'.repeat(2049))),
    413,
    'accept-post',
    null,
    /max-form-attribute-size/,
  ],
  [
    'a matching If-None-Match',
    'GET /book',
    headersInit({ 'If-None-Match': '"v1"' }),
    304,
    'etag',
    '"v1"',
    empty,
  ],
  [
    'a failing If-Match',
    'PUT /book',
    headersInit({ 'If-Match': '"v0"' }),
    412,
    'etag',
    '"v1"',
    empty,
  ],
  [
    'a matching If-Match',
    'PUT /book',
    headersInit({ 'If-Match': '"v1"' }),
    200,
    'etag',
    null,
    /written/,
  ],
  ['a filter that returns 405', 'GET /filtered', {}, 405, 'content-type', null, empty],
  [
    'an unsupported method',
    'DELETE /book',
    {},
    405,
    'allow',
    'GET, PUT, HEAD, OPTIONS',
    /"status":405\b/,
  ],
  ['an invalid path parameter', 'GET /thrown/x', {}, 404, 'allow', null, /"name":"status"/],
]

contract('error responses', tree, (test, call) =>
  table<Row>(test, rows, async (_, line, init, status, name, value, content) => {
    const response = await sendRequest(call, line, init)
    assert.is(response.status, status)
    assert.is(response.headers.get(name), value)
    assert.match(await response.text(), content)
  }),
)
