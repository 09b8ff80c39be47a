/** Responses of handlers that return plain values, and the effect of `status` and `responseHeader`. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  bytes,
  fails,
  get,
  handle,
  html,
  int,
  json,
  ok,
  optional,
  path,
  post,
  produces,
  rawJson,
  responseHeader,
  routes,
  status,
  text,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Missing = t.type({ missing: t.string })

/** A codec of objects in the shape of an `Either`. */
const EitherShape = t.union([
  t.type({ _tag: t.literal('Left'), left: t.string }),
  t.type({ _tag: t.literal('Right'), right: int }),
])

const api = routes({
  text: pipe(
    path('/text'),
    get(),
    produces(text),
    handle(() => 'é'),
  ),
  html: pipe(
    path('/html'),
    get(),
    produces(html),
    handle(() => '<p>'),
  ),
  int: pipe(
    path('/int'),
    get(),
    produces(int),
    handle(() => 1),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(bytes),
    handle(() => Uint8Array.of(97)),
  ),
  quoted: pipe(
    path('/quoted'),
    get(),
    produces(json(t.string)),
    handle(() => 'a"'),
  ),
  raw: pipe(
    path('/raw'),
    get(),
    produces(rawJson),
    handle(() => '[1.0]'),
  ),
  record: pipe(
    path('/record'),
    get(),
    produces(json(t.record(t.string, t.unknown))),
    handle(() => ({ b: [null], a: 1.5, c: undefined })),
  ),
  either: pipe(
    path('/either'),
    get(),
    produces(json(EitherShape)),
    handle(() => ok({ _tag: 'Left' as const, left: 'a' })),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(json(t.UnknownRecord)),
    produces(json(t.UnknownRecord)),
    handle((input) => input.body),
  ),
  undefined: pipe(
    path('/undefined'),
    get(),
    handle(() => undefined),
  ),
  promise: pipe(
    path('/promise'),
    get(),
    handle(() => Promise.resolve()),
  ),
  right: pipe(
    path('/right'),
    get(),
    handle(() => E.right(undefined)),
  ),
  absent: pipe(
    path('/absent'),
    get(),
    produces(json(optional(Missing))),
    handle(() => undefined),
  ),
  null: pipe(
    path('/null'),
    get(),
    produces(json(t.union([Missing, t.null]))),
    handle(() => null),
  ),
  nullReply: pipe(
    path('/null-reply'),
    get(),
    produces(json(t.union([Missing, t.null]))),
    handle(() => ok(null)),
  ),
  status: pipe(
    path('/status'),
    post(),
    produces(text),
    status(201),
    handle(() => 'a'),
  ),
  statusAlone: pipe(
    path('/status-alone'),
    post(),
    status(202),
    handle(() => undefined),
  ),
  headers: pipe(
    path('/headers/{id}', { id: int }),
    get(),
    produces(text),
    fails(404, json(Missing)),
    responseHeader('X-One', '1'),
    responseHeader('X-Two', '2'),
    responseHeader('X-Two', '3'),
    responseHeader('Content-Length', '1'),
    handle(({ path: { id } }) => (id === 0 ? E.left({ missing: 'it' }) : 'abc')),
  ),
})

valueContract('handler results', api, (test, call) => {
  table<readonly [string, target: string, type: string, responseBody: string]>(
    test,
    [
      ['a number of an int codec', '/int', 'text/plain;charset=UTF-8', '1'],
      ['a string as text', '/text', 'text/plain;charset=UTF-8', 'é'],
      ['a string as HTML', '/html', 'text/html;charset=UTF-8', '<p>'],
      ['bytes', '/bytes', 'application/octet-stream', 'a'],
      ['a string as JSON', '/quoted', 'application/json', '"a\\""'],
      ['a string as rawJson', '/raw', 'application/json', '[1.0]'],
      ['an object as JSON', '/record', 'application/json', '{"b":[null],"a":1.5}'],
      ['an Either in a reply', '/either', 'application/json', '{"_tag":"Left","left":"a"}'],
      ['null in a reply', '/null-reply', 'application/json', 'null'],
      ['null of a nullable codec', '/null', 'application/json', 'null'],
    ],
    async (_, target, type, responseBody) => {
      const response = await sendRequest(call, `GET ${target}`)
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-type'), type)
      assert.is(await response.text(), responseBody)
    },
  )

  table<readonly [string, target: string]>(
    test,
    [
      ['undefined without a representation', '/undefined'],
      ['a promise of undefined', '/promise'],
      ['a Right of undefined', '/right'],
      ['undefined of an optional codec', '/absent'],
    ],
    async (_, target) => {
      const response = await sendRequest(call, `GET ${target}`)
      assert.is(response.status, 204)
      assert.is(response.headers.get('content-type'), null)
      assert.is(response.headers.get('content-length'), null) // RFC 9110, 8.6
      assert.is(await response.text(), '')
    },
  )

  test('an echoed request body in the shape of a reply is sent as JSON', async () => {
    const replyShape = { _tag: 'Reply', status: 200, entity: {}, headers: ['X-A', 'b'] }
    const response = await sendRequest(call, 'POST /echo', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(replyShape),
    })
    assert.is(response.headers.get('x-a'), null)
    assert.equal(await response.json(), replyShape)
  })

  test('status sets the status of a response with a body', async () => {
    const response = await sendRequest(call, 'POST /status')
    assert.is(response.status, 201)
    assert.is(await response.text(), 'a')
  })

  test('status sets the status of a response without a body', async () => {
    const response = await sendRequest(call, 'POST /status-alone')
    assert.is(response.status, 202)
    assert.is(response.headers.get('content-type'), null)
    assert.is(await response.text(), '')
  })

  table<readonly [string, target: string, status: number]>(
    test,
    [
      ['responseHeader is added to a value', '/headers/1', 200],
      ['responseHeader is added to a declared failure', '/headers/0', 404],
    ],
    async (_, target, expected) => {
      const response = await sendRequest(call, `GET ${target}`)
      assert.is(response.status, expected)
      assert.is(response.headers.get('x-one'), '1')
      assert.is(response.headers.get('x-two'), '2, 3')
    },
  )

  test('responseHeader is not added to a validation error response', async () =>
    assert.is((await sendRequest(call, 'GET /headers/x')).headers.get('x-one'), null))

  test('responseHeader does not replace Content-Length', async () =>
    assert.is((await sendRequest(call, 'GET /headers/1')).headers.get('content-length'), '3'))
})
