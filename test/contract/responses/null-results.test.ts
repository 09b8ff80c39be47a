/** `null` as a result: a value where a codec accepts it, with the declared status. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  entity,
  get,
  handle,
  int,
  json,
  jsonStream,
  list,
  ndjson,
  nullable,
  nullish,
  ok,
  optional,
  path,
  post,
  produces,
  reply,
  responds,
  routes,
  status,
  string,
} from '../../../src/index.ts'
import { cbor } from '../../../src/cbor.ts'
import { client } from '../../../src/client.ts'
import { hal } from '../../../src/hal.ts'
import { xml } from '../../../src/xml.ts'
import { openApi } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Book = nullable(t.type({ id: int }, 'book'))
const none = (): null => null

const api = routes({
  json: pipe(path('/json'), get(), produces(json(Book)), handle(none)),
  later: pipe(
    path('/later'),
    get(),
    produces(json(Book)),
    handle(async () => null),
  ),
  right: pipe(
    path('/right'),
    get(),
    produces(json(Book)),
    handle(() => ok(null)),
  ),
  created: pipe(path('/created'), post(), status(201), produces(json(Book)), handle(none)),
  accepted: pipe(path('/accepted'), get(), responds(202, json(Book)), handle(none)),
  unknown: pipe(path('/unknown'), get(), produces(json(t.unknown)), handle(none)),
  nullish: pipe(path('/nullish'), get(), produces(json(nullish(int))), handle(none)),
  hal: pipe(path('/hal'), get(), produces(hal(Book)), handle(none)),
  number: pipe(path('/number'), get(), produces(nullable(int)), handle(none)),
  entity: pipe(path('/entity'), get(), produces(entity(Book)), handle(none)),
  list: pipe(
    path('/list'),
    get(),
    produces(json(list(nullable(int)))),
    handle(() => [1, null]),
  ),
  array: pipe(
    path('/array'),
    get(),
    produces(jsonStream(nullable(int))),
    handle(() => [1, null]),
  ),
  lines: pipe(
    path('/lines'),
    get(),
    produces(ndjson(nullable(int))),
    handle(() => [null, 2]),
  ),
  several: pipe(
    path('/several'),
    get(),
    produces(json(nullable(int))),
    responds(202, json(nullable(int))),
    handle(() => reply(202, null)),
  ),
  declared: pipe(path('/declared'), get(), produces(json(Book)), responds(204), handle(none)),
  text: pipe(path('/text'), get(), produces(nullable(string)), handle(none)),
  optional: pipe(
    path('/optional'),
    get(),
    produces(json(optional(int))),
    handle(() => undefined),
  ),
  absent: pipe(
    path('/absent'),
    get(),
    produces(json(nullish(int))),
    handle(() => undefined),
  ),
  nothing: pipe(
    path('/nothing'),
    get(),
    handle(() => undefined),
  ),
  xml: pipe(path('/xml'), get(), produces(xml(Book)), handle(none)),
  cbor: pipe(path('/cbor'), get(), produces(cbor(Book)), handle(none)),
})

valueContract('null as a result', api, (test, call) => {
  table(
    test,
    [
      ['JSON', 'GET /json', 200, 'null'],
      ['JSON of a promise', 'GET /later', 200, 'null'],
      ['JSON of ok', 'GET /right', 200, 'null'],
      ['JSON with a declared status', 'POST /created', 201, 'null'],
      ['JSON with the status of responds', 'GET /accepted', 202, 'null'],
      ['JSON of an unknown value', 'GET /unknown', 200, 'null'],
      ['JSON of a nullish value', 'GET /nullish', 200, 'null'],
      ['HAL', 'GET /hal', 200, 'null'],
      ['text of a number', 'GET /number', 200, 'null'],
      ['an entity', 'GET /entity', 200, 'null'],
      ['an element of a list', 'GET /list', 200, '[1,null]'],
      ['an element of a stream', 'GET /array', 200, '[1,null]'],
      ['an element of NDJSON', 'GET /lines', 200, 'null\n2\n'],
      ['a reply with another status', 'GET /several', 202, 'null'],
      ['with a declared 204', 'GET /declared', 200, 'null'],
      ['text without a form for null', 'GET /text', 204, ''],
      ['undefined of an optional value', 'GET /optional', 204, ''],
      ['undefined of a nullish value', 'GET /absent', 204, ''],
      ['undefined without a representation', 'GET /nothing', 204, ''],
    ] as const,
    async (_, target, expected, body) => {
      const response = await sendRequest(call, target)
      assert.equal([response.status, await response.text()], [expected, body])
    },
  )

  test('XML is an element with xsi:nil', async () => {
    const response = await sendRequest(call, 'GET /xml')
    assert.is(response.status, 200)
    assert.match(await response.text(), /<book [^>]*xsi:nil="true"/)
  })

  test('CBOR is the simple value 22', async () => {
    const response = await sendRequest(call, 'GET /cbor')
    assert.equal(new Uint8Array(await response.arrayBuffer()), new Uint8Array([0xf6]))
  })
})

describe('null in a document and a typed client', (test) => {
  test('only results that can be undefined are documented with 204', () => {
    const { paths = {} } = openApi(api, { info: { title: 'null', version: '1' } })
    const documented = ['/json', '/created', '/text', '/optional', '/absent', '/nothing'].map(
      (target) =>
        Object.keys(Object.values(paths[target] ?? {})[0]?.responses ?? {}).filter((code) =>
          code.startsWith('2'),
        ),
    )
    assert.equal(documented, [['200'], ['201'], ['200'], ['200', '204'], ['200', '204'], ['204']])
  })
  test('a typed client decodes null', async () => {
    const call = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
    const result = await call.json()()
    assert.equal(result._tag === 'Right' ? [result.right.status, result.right.body] : result, [
      200,
      null,
    ])
  })
})
