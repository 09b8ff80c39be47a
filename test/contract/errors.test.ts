/** Errors with a status, in every way in which a handler can come to one. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { HandlerOf } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Missing = t.type({ missing: t.string })

const failing = pipe(
  path('/{how}/{what}'),
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
  ['Left', (error) => E.left(error)],
  ['rejected', (error) => Promise.reject(error)],
  ['promised', (error) => Promise.resolve(error)],
  ['promised Left', (error) => Promise.resolve(E.left(error))],
  ['rejected by a Task', (error) => () => Promise.reject(error)],
  ['Left of a TaskEither', (error) => TE.left(error)],
]

type ErrorRow = readonly [
  name: string,
  error: HttpError,
  status: number,
  title: string,
  detail?: string,
]

const errors: ReadonlyArray<ErrorRow> = [
  ['BadRequest', new BadRequest('hidden'), 400, 'Bad Request'],
  ['Unauthorized', new Unauthorized('Basic', 'hidden'), 401, 'Unauthorized'],
  ['Forbidden', new Forbidden('hidden'), 403, 'Forbidden'],
  ['NotFound', new NotFound('hidden'), 404, 'Not Found'],
  ['Conflict', new Conflict('hidden'), 409, 'Conflict'],
  ['Gone', new Gone('hidden'), 410, 'Gone'],
  ['UnprocessableContent', new UnprocessableContent('hidden'), 422, 'Unprocessable Content'],
  ['TooManyRequests', new TooManyRequests('hidden'), 429, 'Too Many Requests'],
  ['InternalServerError', new InternalServerError('hidden'), 500, 'Internal Server Error'],
  ['ServiceUnavailable', new ServiceUnavailable('hidden'), 503, 'Service Unavailable'],
  ['HttpError', new HttpError(418, 'hidden'), 418, 'Client Error'],
  ['a detail', new Gone('hidden', { detail: 'shown' }), 410, 'Gone', 'shown'],
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
  ['of text', new HttpError(reply(402, 'pay'), 'hidden'), 402, plain, 'pay'],
  ['of an object', new HttpError(reply(409, { a: 1 })), 409, 'application/json', '{"a":1}'],
  ['of null', new HttpError(reply(409, null)), 409, 'application/json', 'null'],
  [
    'of octets',
    new HttpError(reply(409, encoder.encode('a'))),
    409,
    'application/octet-stream',
    'a',
  ],
  [
    'of a type of its own',
    new HttpError(mediaType('text/stef')(reply(409, 'a'))),
    409,
    'text/stef',
    'a',
  ],
  ['of nothing', new HttpError(reply(404)), 404, null, ''],
  ['of a success', new HttpError(ok('a')), 200, plain, 'a'],
  ['that redirects', new Redirection(303, '/a'), 303, null, ''],
  ['of a status of no class', new HttpError(reply(666)), 666, null, ''],
]

type FieldRow = readonly [name: string, error: HttpError, field: string, value: string | null]

const fields: ReadonlyArray<FieldRow> = [
  ['of an error', new TooManyRequests('', { headers: { 'Retry-After': '9' } }), 'retry-after', '9'],
  ['a challenge', new Unauthorized('Basic realm="a"'), 'www-authenticate', 'Basic realm="a"'],
  ['of a reply', new HttpError(withHeader('X-A', 'b')(reply(404))), 'x-a', 'b'],
  ['of a connection', new Gone('', { headers: { Upgrade: 'a' } }), 'upgrade', null],
  ['of its reply', new HttpError(withHeader('Upgrade', 'a')(reply(404))), 'upgrade', null],
  [
    'of a length',
    new HttpError(withHeader('Content-Length', '9')(reply(404))),
    'content-length',
    '0',
  ],
  [
    'of another type than that of the document',
    new Gone('', { headers: { 'Content-Type': 'text/a' } }),
    'content-type',
    'application/problem+json',
  ],
  ['what is allowed', new MethodNotAllowed(['GET', 'PUT']), 'allow', 'GET, PUT'],
  ['what is negotiated', new NotAcceptable(['a/b']), 'vary', 'Accept'],
  ['what is taken', new UnsupportedMediaType(['a/b', 'a/c']), 'accept', 'a/b, a/c'],
  ['Redirection 301', new Redirection(301, '/a'), 'location', '/a'],
  ['Redirection 302', new Redirection(302, '/a'), 'location', '/a'],
  ['Redirection 303', new Redirection(303, '/a'), 'location', '/a'],
  ['Redirection 307', new Redirection(307, '/a'), 'location', '/a'],
  ['Redirection 308', new Redirection(308, '/a'), 'location', '/a'],
]

const faults = [{ in: 'form', name: 'n', detail: 'must be an integer' }] as const
const invalid = new UnprocessableContent('hidden', { faults, truncated: true })

type MemberRow = readonly [name: string, error: HttpError, members: object]

const members: ReadonlyArray<MemberRow> = [
  ['faults', invalid, { errors: faults, truncated: true }],
  ['methods', new MethodNotAllowed(['GET']), { supported: ['GET'] }],
  ['media types', new NotAcceptable(['a/b']), { supported: ['a/b'] }],
]

const wayOf = new Map(ways)
const errorOf = new Map(
  [...errors, ...replies, ...fields, ...members].map(([name, error]) => [name, error]),
)

const api = routes({
  failing: implement(
    failing,
    ({ path: { how, what } }) =>
      wayOf.get(how)?.(errorOf.get(what) ?? new HttpError(599)) ?? 'no such way',
  ),
})

contract('errors', api, (test, call) => {
  const failed = (how: string, what: string): Promise<Response> =>
    ask(call, `GET /${encodeURIComponent(how)}/${encodeURIComponent(what)}`)

  for (const [how] of ways)
    for (const [name, , status, title, detail] of errors)
      test(`${name}, ${how}`, async () => {
        const response = await failed(how, name)
        assert.is(response.status, status)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
        assert.is(response.headers.get('x-always'), null)
        const { instance, ...problem } = (await response.json()) as { readonly instance: string }
        const more = detail === undefined ? {} : { detail }
        assert.equal(problem, { type: 'about:blank', title, status, ...more })
        assert.match(instance, /^urn:uuid:/)
      })

  for (const [how] of ways)
    for (const [name, , status, type, content] of replies)
      test(`a reply ${name}, ${how}`, async () => {
        const response = await failed(how, name)
        assert.is(response.status, status)
        assert.is(response.headers.get('content-type'), type)
        assert.is(response.headers.get('x-always'), null)
        assert.is(await response.text(), content)
      })

  for (const [how] of ways)
    test(`a redirection, ${how}`, async () => {
      const response = await failed(how, 'Redirection 303')
      assert.is(response.status, 303)
      assert.is(response.headers.get('location'), '/a')
      assert.is(await response.text(), '')
    })

  table<FieldRow>(test, fields, async (name, error, field, value) => {
    const response = await failed('thrown', name)
    assert.is(response.status, error.status)
    assert.is(response.headers.get(field), value)
  })

  table<MemberRow>(test, members, async (name, { status }, more) => {
    const response = await failed('thrown', name)
    const {
      instance: _i,
      type: _y,
      title: _t,
      ...rest
    } = (await response.json()) as Record<string, unknown>
    assert.equal(rest, { status, ...more })
  })
})
