/** `HttpError` and its subclasses, thrown, returned and rejected by handlers. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../../src/index.ts'
import {
  BadRequest,
  Conflict,
  Forbidden,
  Gone,
  HttpError,
  InternalServerError,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  Redirection,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnprocessableContent,
  UnsupportedMediaType,
  fails,
  get,
  implement,
  json,
  mediaType,
  ok,
  path,
  produces,
  reply,
  responseHeader,
  routes,
  text,
  withHeader,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const Missing = t.type({ missing: t.string })

const failing = pipe(
  path('/{way}/{name}'),
  get(),
  produces(text),
  fails(404, json(Missing)),
  responseHeader('X-Always', 'a'),
)

type Returned = ReturnType<HandlerOf<typeof failing>>
type Way = (error: HttpError) => Returned

const ways: ReadonlyArray<readonly [name: string, way: Way]> = [
  [
    'thrown',
    (error) => {
      throw error
    },
  ],
  ['returned', (error) => error],
  ['returned as a Left', (error) => E.left(error)],
  ['rejected', (error) => Promise.reject(error)],
  ['resolved', (error) => Promise.resolve(error)],
  ['resolved as a Left', (error) => Promise.resolve(E.left(error))],
  ['rejected by a Task', (error) => () => Promise.reject(error)],
  ['returned as a Left of a TaskEither', (error) => TE.left(error)],
]

type ErrorRow = readonly [
  name: string,
  error: HttpError,
  status: number,
  title: string,
  detail?: string,
]

const errors: ReadonlyArray<ErrorRow> = [
  ['BadRequest', new BadRequest('shown'), 400, 'Bad Request', 'shown'],
  ['Unauthorized', new Unauthorized('Basic', 'shown'), 401, 'Unauthorized', 'shown'],
  ['Forbidden', new Forbidden('shown'), 403, 'Forbidden', 'shown'],
  ['NotFound', new NotFound('shown'), 404, 'Not Found', 'shown'],
  ['Conflict', new Conflict('shown'), 409, 'Conflict', 'shown'],
  ['Gone', new Gone('shown'), 410, 'Gone', 'shown'],
  [
    'UnprocessableContent',
    new UnprocessableContent('shown'),
    422,
    'Unprocessable Content',
    'shown',
  ],
  ['TooManyRequests', new TooManyRequests('shown'), 429, 'Too Many Requests', 'shown'],
  ['InternalServerError', new InternalServerError('hidden'), 500, 'Internal Server Error'],
  ['ServiceUnavailable', new ServiceUnavailable('hidden'), 503, 'Service Unavailable'],
  ['HttpError', new HttpError(418, 'shown'), 418, 'Client Error', 'shown'],
  ['a cause', new Conflict('shown', { cause: new Error('hidden') }), 409, 'Conflict', 'shown'],
  ['only a cause', new Conflict(undefined, { cause: new Error('hidden') }), 409, 'Conflict'],
  ['a detail', new Gone('hidden', { detail: 'shown' }), 410, 'Gone', 'shown'],
  ['expose: false', new Gone('hidden', { expose: false }), 410, 'Gone'],
  [
    'a detail with status 503',
    new ServiceUnavailable('hidden', { detail: 'shown' }),
    503,
    'Service Unavailable',
    'shown',
  ],
]

type ReplyRow = readonly [
  name: string,
  error: HttpError,
  status: number,
  type: string | null,
  content: string,
]

const [plain, encoder] = ['text/plain;charset=UTF-8', new TextEncoder()]

const replies: ReadonlyArray<ReplyRow> = [
  ['with text', new HttpError(reply(402, 'pay'), 'hidden'), 402, plain, 'pay'],
  ['with an object', new HttpError(reply(409, { a: 1 })), 409, 'application/json', '{"a":1}'],
  ['with null', new HttpError(reply(409, null)), 409, 'application/json', 'null'],
  [
    'with bytes',
    new HttpError(reply(409, encoder.encode('a'))),
    409,
    'application/octet-stream',
    'a',
  ],
  [
    'with a media type',
    new HttpError(mediaType('text/x-custom')(reply(409, 'a'))),
    409,
    'text/x-custom',
    'a',
  ],
  ['without an entity', new HttpError(reply(404)), 404, null, ''],
  ['with status 200', new HttpError(ok('a')), 200, plain, 'a'],
  ['with a redirection', new Redirection(303, '/a'), 303, null, ''],
  ['with status 666', new HttpError(reply(666)), 666, null, ''],
]

type HeaderRow = readonly [name: string, error: HttpError, header: string, value: string | null]

const headers: ReadonlyArray<HeaderRow> = [
  [
    'a header of an error',
    new TooManyRequests('', { headers: { 'Retry-After': '9' } }),
    'retry-after',
    '9',
  ],
  ['a challenge', new Unauthorized('Basic realm="a"'), 'www-authenticate', 'Basic realm="a"'],
  ['a header of a reply', new HttpError(withHeader('X-A', 'b')(reply(404))), 'x-a', 'b'],
  ['a connection header of an error', new Gone('', { headers: { Upgrade: 'a' } }), 'upgrade', null],
  [
    'a connection header of a reply',
    new HttpError(withHeader('Upgrade', 'a')(reply(404))),
    'upgrade',
    null,
  ],
  [
    'Content-Length of a reply',
    new HttpError(withHeader('Content-Length', '9')(reply(404))),
    'content-length',
    '0',
  ],
  [
    'Content-Type of an error',
    new Gone('', { headers: { 'Content-Type': 'text/a' } }),
    'content-type',
    'application/problem+json',
  ],
  ['Allow of MethodNotAllowed', new MethodNotAllowed(['GET', 'PUT']), 'allow', 'GET, PUT'],
  ['Vary of NotAcceptable', new NotAcceptable(['a/b']), 'vary', 'Accept'],
  [
    'Accept of UnsupportedMediaType',
    new UnsupportedMediaType(['a/b', 'a/c']),
    'accept',
    'a/b, a/c',
  ],
  ['Redirection 301', new Redirection(301, '/a'), 'location', '/a'],
  ['Redirection 302', new Redirection(302, '/a'), 'location', '/a'],
  ['Redirection 303', new Redirection(303, '/a'), 'location', '/a'],
  ['Redirection 307', new Redirection(307, '/a'), 'location', '/a'],
  ['Redirection 308', new Redirection(308, '/a'), 'location', '/a'],
]

const validationErrors = [{ in: 'form', name: 'n', detail: 'must be an integer' }] as const
const invalid = new UnprocessableContent(undefined, { errors: validationErrors, truncated: true })

type MemberRow = readonly [name: string, error: HttpError, members: object]

const members: ReadonlyArray<MemberRow> = [
  ['validation errors', invalid, { errors: validationErrors, truncated: true }],
  ['supported methods', new MethodNotAllowed(['GET']), { supported: ['GET'] }],
  ['supported media types', new NotAcceptable(['a/b']), { supported: ['a/b'] }],
]

const wayOf = new Map(ways)
const errorOf = new Map(
  [...errors, ...replies, ...headers, ...members].map(([name, error]) => [name, error]),
)

const api = routes({
  failing: implement(
    failing,
    ({ path: { way, name } }) =>
      wayOf.get(way)?.(errorOf.get(name) ?? new HttpError(599)) ?? 'unknown way',
  ),
})

contract('HttpError', api, (test, call) => {
  const send = (way: string, name: string): Promise<Response> =>
    sendRequest(call, `GET /${encodeURIComponent(way)}/${encodeURIComponent(name)}`)

  for (const [way] of ways)
    for (const [name, , status, title, detail] of errors)
      test(`${name}, ${way}`, async () => {
        const response = await send(way, name)
        assert.is(response.status, status)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
        assert.is(response.headers.get('x-always'), null)
        const { instance, ...problem } = (await response.json()) as { readonly instance: string }
        const details = detail === undefined ? {} : { detail }
        assert.equal(problem, { type: 'about:blank', title, status, ...details })
        assert.match(instance, /^urn:uuid:/)
      })

  for (const [way] of ways)
    for (const [name, , status, type, content] of replies)
      test(`an HttpError ${name}, ${way}`, async () => {
        const response = await send(way, name)
        assert.is(response.status, status)
        assert.is(response.headers.get('content-type'), type)
        assert.is(response.headers.get('x-always'), null)
        assert.is(await response.text(), content)
      })

  for (const [way] of ways)
    test(`a redirection, ${way}`, async () => {
      const response = await send(way, 'Redirection 303')
      assert.is(response.status, 303)
      assert.is(response.headers.get('location'), '/a')
      assert.is(await response.text(), '')
    })

  table<HeaderRow>(test, headers, async (name, error, header, value) => {
    const response = await send('thrown', name)
    assert.is(response.status, error.status)
    assert.is(response.headers.get(header), value)
  })

  table<MemberRow>(test, members, async (name, { status }, more) => {
    const response = await send('thrown', name)
    const {
      instance: _i,
      type: _y,
      title: _t,
      ...rest
    } = (await response.json()) as Record<string, unknown>
    assert.equal(rest, { status, ...more })
  })
})
