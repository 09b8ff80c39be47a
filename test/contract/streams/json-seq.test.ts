/** `jsonSeq`, and other streams of JSON values in request bodies: RFC 7464. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { client } from '../../../src/client.ts'
import {
  body,
  handle,
  int,
  jsonStream,
  limits,
  ndjson,
  path,
  post,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import { jsonSeq } from '../../../src/json.ts'
import { inMemory } from '../../../src/testing.ts'
import { contract } from '../../support/contract.ts'
import { describe, table } from '../../support/describe.ts'

const Point = t.type({ x: t.number })

async function* doubled(points: AsyncIterable<{ readonly x: number }>) {
  for await (const { x } of points) yield { x: 2 * x }
}

const api = routes({
  double: pipe(
    path('/double'),
    post(),
    body(jsonSeq(Point), ndjson(Point), jsonStream(Point)),
    produces(jsonSeq(Point), ndjson(Point), jsonStream(Point)),
    handle((input) => doubled(input.body)),
  ),
  sum: pipe(
    path('/sum'),
    post(),
    limits({ parsedBodySize: 20 }),
    body(jsonSeq(int)),
    produces(text),
    handle(async (input) => {
      let sum = 0
      for await (const value of input.body) sum += value
      return String(sum)
    }),
  ),
})

type Row = readonly [title: string, sent: string, status: number, expected: string | RegExp]

const rows: ReadonlyArray<Row> = [
  ['no elements', '', 200, '0'],
  ['several elements', '\x1e1\n\x1e2\n\x1e3\n', 200, '6'],
  ['repeated separators and whitespace', '\x1e\x1e1\n\x1e\n\x1e 2 \n', 200, '3'],
  ['more bytes than an element may have', '\x1e12345678\n'.repeat(9), 200, '111111102'],
  ['no separator before the first element', '1\n', 400, /expected a record separator/],
  ['a truncated number', '\x1e1\n\x1e2', 400, /truncated element/],
  ['a malformed element', '\x1e{"x"\n', 400, /"pointer":"#/],
  ['an invalid element', '\x1e1\n\x1e"a"\n', 400, /"pointer":"#\/1"/],
  ['an element that is too large', `\x1e${'1'.repeat(21)}\n`, 413, /parsedBodySize/],
]

contract('JSON streams in request bodies', api, (test, call) => {
  const send = (target: string, sent: string, type = 'application/json-seq', accept = type) =>
    call(
      new Request(`http://service.test${target}`, {
        method: 'POST',
        headers: { 'Content-Type': type, Accept: accept },
        body: sent,
      }),
    )
  table<Row>(test, rows, async (_, sent, status, expected) => {
    const response = await send('/sum', sent, undefined, '*/*')
    const received = await response.text()
    assert.is(response.status, status, received)
    if (typeof expected === 'string') assert.is(received, expected)
    else assert.match(received, expected)
  })
  for (const [type, sent, expected] of [
    ['application/json-seq', '\x1e{"x":1,"y":0}\n\x1e{"x":2}\n', '\x1e{"x":2}\n\x1e{"x":4}\n'],
    ['application/x-ndjson', '{"x":1}\n\n{"x":2}', '{"x":2}\n{"x":4}\n'],
    ['application/json', '[{"x":1}, {"x":2}]', '[{"x":2},{"x":4}]'],
  ] as const)
    test(`${type} is read and written`, async () => {
      const response = await send('/double', sent, type)
      assert.is(response.headers.get('Content-Type'), type)
      assert.is(await response.text(), expected)
    })
})

describe('a client sends and reads JSON streams', (test) => {
  for (const as of ['application/json-seq', 'application/x-ndjson', 'application/json'] as const)
    test(as, async () => {
      const calls = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
      const result = await calls.double(
        { body: [{ x: 1 }, { x: 2 }] },
        { as, headers: { Accept: as } },
      )()
      if (E.isLeft(result)) return assert.unreachable(JSON.stringify(result.left))
      const received: unknown[] = []
      for await (const point of result.right.body) received.push(point)
      assert.equal(received, [{ x: 2 }, { x: 4 }])
    })
  test('an invalid element ends the request with an error', async () => {
    const calls = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
    const result = await calls.sum({ body: [1, 'a' as unknown as t.Branded<number, never>] })()
    assert.ok(E.isLeft(result))
  })
})
