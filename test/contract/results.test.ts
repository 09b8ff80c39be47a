/** What becomes of the values that handlers return, and what endpoints add to them. */
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Missing = t.type({ missing: t.string })

/** An Either, as JSON has it. */
const Result = t.union([
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
    produces(json(Result)),
    handle(() => ok({ _tag: 'Left' as const, left: 'a' })),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(json(t.UnknownRecord)),
    produces(json(t.UnknownRecord)),
    handle((input) => input.body),
  ),
  nothing: pipe(
    path('/nothing'),
    get(),
    handle(() => undefined),
  ),
  later: pipe(
    path('/nothing-later'),
    get(),
    handle(() => Promise.resolve()),
  ),
  right: pipe(
    path('/nothing-right'),
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

contract('results', api, (test, call) => {
  table<readonly [string, target: string, type: string, content: string]>(
    test,
    [
      ['a number is text', '/int', 'text/plain;charset=UTF-8', '1'],
      ['a string is text', '/text', 'text/plain;charset=UTF-8', 'é'],
      ['or another kind of text', '/html', 'text/html;charset=UTF-8', '<p>'],
      ['octets', '/bytes', 'application/octet-stream', 'a'],
      ['a string is quoted where JSON is produced', '/quoted', 'application/json', '"a\\""'],
      ['rawJson is JSON already', '/raw', 'application/json', '[1.0]'],
      ['anything else is JSON', '/record', 'application/json', '{"b":[null],"a":1.5}'],
      ['an Either as a value', '/either', 'application/json', '{"_tag":"Left","left":"a"}'],
      ['null as an entity', '/null-reply', 'application/json', 'null'],
    ],
    async (_, target, type, content) => {
      const response = await ask(call, `GET ${target}`)
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-type'), type)
      assert.is(await response.text(), content)
    },
  )

  table<readonly [string, target: string]>(
    test,
    [
      ['undefined', '/nothing'],
      ['a promise of nothing', '/nothing-later'],
      ['a Right of nothing', '/nothing-right'],
      ['undefined where something else is produced', '/absent'],
      ['null where something else is produced', '/null'],
    ],
    async (_, target) => {
      const response = await ask(call, `GET ${target}`)
      assert.is(response.status, 204)
      assert.is(response.headers.get('content-type'), null)
      assert.is(response.headers.get('content-length'), null) // RFC 9110, 8.6
      assert.is(await response.text(), '')
    },
  )

  test('a client cannot make a reply of what is sent back', async () => {
    const alike = { _tag: 'Reply', status: 200, entity: {}, headers: ['X-A', 'b'] }
    const response = await ask(call, 'POST /echo', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alike),
    })
    assert.is(response.headers.get('x-a'), null)
    assert.equal(await response.json(), alike)
  })

  test('status is the status of what is produced', async () => {
    const response = await ask(call, 'POST /status')
    assert.is(response.status, 201)
    assert.is(await response.text(), 'a')
  })

  test('status without content', async () => {
    const response = await ask(call, 'POST /status-alone')
    assert.is(response.status, 202)
    assert.is(response.headers.get('content-type'), null)
    assert.is(await response.text(), '')
  })

  table<readonly [string, target: string, status: number]>(
    test,
    [
      ['responseHeader of a value', '/headers/1', 200],
      ['responseHeader of a declared failure', '/headers/0', 404],
    ],
    async (_, target, expected) => {
      const response = await ask(call, `GET ${target}`)
      assert.is(response.status, expected)
      assert.is(response.headers.get('x-one'), '1')
      assert.is(response.headers.get('x-two'), '2, 3')
    },
  )

  test('responseHeader of a request that is refused', async () =>
    assert.is((await ask(call, 'GET /headers/x')).headers.get('x-one'), null))

  test('responseHeader frames nothing', async () =>
    assert.is((await ask(call, 'GET /headers/1')).headers.get('content-length'), '3'))
})
