/** Where handlers run. Whatever runs on a worker answers as it would in place. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  blocking,
  get,
  handle,
  nonBlocking,
  path,
  prefix,
  routes,
  transactional,
} from '../../src/index.ts'
import { explain } from '../../src/node.ts'
import { compile } from '../../src/interpreter/program.ts'
import { isBlocking } from '../../src/endpoint/internal/attributes.ts'
import { answerTo, ask, faultsOf } from '../support/ask.ts'
import { api, blockingModule } from '../support/blocking-api.ts'
import { describe, table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'
import { early } from '../support/telling.ts'
import { anonymous } from '../support/principal-operation.ts'

const operation = pipe(
  path('/x'),
  get(),
  handle(() => undefined),
)
const resource = path('/x')
const onResource = pipe(path('/x'), blocking)

describe('the execution of an operation', (test) => {
  table(
    test,
    [
      ['nothing is said', operation, false],
      ['blocking on the operation', pipe(operation, blocking), true],
      ['blocking twice', pipe(operation, blocking, blocking), true],
      [
        'blocking on the resource',
        pipe(
          onResource,
          get(),
          handle(() => undefined),
        ),
        true,
      ],
      [
        'the operation wins over the resource',
        pipe(
          onResource,
          get(),
          nonBlocking,
          handle(() => undefined),
        ),
        false,
      ],
      [
        'also the other way round',
        pipe(
          resource,
          nonBlocking,
          get(),
          blocking,
          handle(() => undefined),
        ),
        true,
      ],
      ['transactional counts as blocking', pipe(operation, transactional), true],
      ['unless the operation says nonBlocking', pipe(operation, transactional, nonBlocking), false],
      ['in any order', pipe(operation, nonBlocking, transactional), false],
    ] as const,
    (_, endpoint, expected) => {
      const [plan] = compile(routes({ endpoint })).plans
      assert.is(plan !== undefined && isBlocking(plan.attributes), expected)
    },
  )
  const inTree = routes({ operation })
  table(
    test,
    [
      ['blocking on the tree', pipe(inTree, blocking), true],
      ['the inner tree wins', pipe(routes({ in: pipe(inTree, nonBlocking) }), blocking), false],
      [
        'the inner tree wins, heavy',
        pipe(routes({ in: pipe(inTree, blocking) }), nonBlocking),
        true,
      ],
      ['a tree without a word passes on', pipe(routes({ in: inTree }), blocking), true],
      [
        'the operation wins over the tree',
        pipe(routes({ operation: pipe(operation, nonBlocking) }), blocking),
        false,
      ],
      ['a transactional tree', pipe(inTree, transactional), true],
      [
        'a transactional tree inside a light one',
        pipe(routes({ in: pipe(inTree, transactional) }), nonBlocking),
        false,
      ],
      [
        'a transactional operation in a light tree',
        pipe(routes({ operation: pipe(operation, transactional) }), nonBlocking),
        false,
      ],
    ] as const,
    (_, tree, expected) => {
      const [plan] = compile(tree).plans
      assert.is(plan !== undefined && isBlocking(plan.attributes), expected)
    },
  )
})

describe('the explanation', (test) => {
  test('says what runs on a worker', () => {
    const said = explain(
      routes({
        light: pipe(
          path('/y'),
          get(),
          handle(() => undefined),
        ),
        operation: pipe(operation, blocking),
      }),
    )
    assert.equal(
      said.split('\n\n').map((one) => one.includes('blocking: runs on a worker')),
      [false, true],
    )
  })
})

describe('both executions said of one', (test) => {
  const inTree = routes({ operation })
  table(
    test,
    [
      ['operation', routes({ a: pipe(operation, blocking, nonBlocking) }), /GET \/x {2}\(a\)/],
      [
        'operation, the other way round',
        routes({ a: pipe(operation, nonBlocking, blocking) }),
        /operation declared as both/,
      ],
      [
        'resource',
        routes({
          a: pipe(
            resource,
            blocking,
            nonBlocking,
            get(),
            handle(() => undefined),
          ),
        }),
        /resource declared as both/,
      ],
      ['inner tree', routes({ in: pipe(inTree, blocking, nonBlocking) }), /\n +in\n/],
      [
        'tree, with something between',
        pipe(inTree, blocking, prefix('/y'), nonBlocking),
        /whole tree/,
      ],
    ] as const,
    (_, tree, said) => {
      assert.throws(() => compile(tree), /FW-ROUTE-005/)
      assert.throws(() => compile(tree), said)
    },
  )
})

contract(
  'a blocking operation',
  api,
  (test, call) => {
    const sum = (query: string, content: string, headers: Record<string, string> = {}) =>
      ask(call, `POST /sum${query}`, {
        body: content,
        headers: { 'Content-Type': 'application/json', ...headers },
      })
    test('is given its parameters and its context', async () => {
      const response = await ask(call, 'GET /context/a%20b?tag=1&tag=2', {
        headers: { Cookie: 'c=d' },
      })
      const { url, address: _, ...rest } = (await response.json()) as Record<string, unknown>
      assert.equal(rest, {
        input: { x: 'a b', tag: ['1', '2'] },
        method: 'GET',
        x: 'a b',
        name: 'works.context',
        cookie: 'd',
      })
      assert.match(String(url), /^http:\/\/[^/]+\/context\/a%20b\?tag=1&tag=2$/)
      assert.ok(response.headers.has('X-Handler'))
    })
    test('is given its content', async () => {
      const response = await sum('?factor=2', '{"numbers":[1,2,3]}')
      assert.equal([response.status, await response.json()], [200, { sum: 12 }])
    })
    test('is given octets as they are, large ones too', async () => {
      const octets = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)
      const response = await call(new Request(`${base}/echo`, { method: 'POST', body: octets }))
      assert.equal(new Uint8Array(await response.arrayBuffer()), octets)
    })
    test('answers text that is not ASCII', async () =>
      assert.equal(await answerTo(call, 'GET /compute/0?as=%C3%BC%E2%82%AC'), [200, 'ü€']))
    test('answers HEAD', async () => {
      const response = await ask(call, 'HEAD /compute/0')
      assert.equal([response.headers.get('Content-Length'), await response.text()], ['8', ''])
    })
    test('is met where a filter before matching has sent the request', async () => {
      const response = await ask(call, 'GET /rewritten')
      const { input, url } = (await response.json()) as Record<string, unknown>
      assert.equal(input, { x: 'y', tag: ['r'] })
      assert.match(String(url), /\/context\/y\?tag=r$/)
    })
    test('sees what filters give, and its response filters see the reply once', async () => {
      const response = await ask(call, 'GET /seen')
      assert.match(await response.text(), /^loop, loop (loop|worker), \1, filtered\.seen$/)
      assert.match(response.headers.get('X-Response-Filter') ?? '', /^(?:loop|worker)$/)
    })
    test('knows who asks', async () => {
      const asked = (credentials: string) =>
        answerTo(call, 'GET /who', { headers: { Authorization: `Basic ${btoa(credentials)}` } })
      assert.equal(await asked('ann:2020'), [200, 'ann, Basic, a reader, "2020"'])
      assert.equal((await asked('ann:none'))[0], 401)
      assert.equal(await answerTo(call, 'GET /who'), anonymous)
    })
    test('counts its time from when it was asked first, be it by an early filter', async () => {
      const [, content] = await answerTo(call, 'GET /elapsed')
      // a timer may be a millisecond early
      assert.ok(Number(content) >= early - 2 && Number(content) < 10_000, String(content))
    })
    test('is not met where an early filter answers', async () => {
      const response = await ask(call, 'GET /seen', { headers: { 'X-Deny': 'early' } })
      assert.equal([response.status, response.headers.get('X-Response-Filter')], [401, 'loop'])
    })
    test('lists all faults of its parameters', async () =>
      assert.equal(await faultsOf(await sum('?factor=x&id=y', '{}')), [
        ['query', 'factor', 'must be an integer'],
        ['query', 'id', 'must be a UUID'],
      ]))
    table(
      test,
      [
        ['an error that it throws', () => ask(call, 'GET /seen?deny=1'), 409],
        ['a defect', () => ask(call, 'GET /die/throw'), 500],
        ['a stack that overflows', () => ask(call, 'GET /die/overflow'), 500],
        ['a content that is no JSON', () => sum('', '{'), 400],
        ['a content that does not fit', () => sum('', '{"numbers":["1"]}'), 400],
        ['a content that is too large', () => sum('', `"${'x'.repeat(400_000)}"`), 413],
        ['parameters before the content', () => sum('?factor=x', `"${'x'.repeat(400_000)}"`), 400],
        ['a coded content', () => sum('', '{}', { 'Content-Encoding': 'gzip' }), 415],
        ['a media type', () => sum('', '{}', { 'Content-Type': 'text/csv' }), 415],
        ['a preference', () => sum('', '{}', { Accept: 'text/csv' }), 406],
      ] as const,
      async (_, send, status) => {
        const response = await send()
        assert.is(response.status, status)
        assert.match(await response.text(), new RegExp(`"status":${status}`))
      },
    )
  },
  { module: blockingModule, 'fw.http.limits.max-body-size': 300_000, 'fw.worker.threads': 2 },
)
