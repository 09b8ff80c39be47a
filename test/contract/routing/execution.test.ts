/** `blocking` and `nonBlocking`: which operations run on workers, and that their responses are the same. */
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
} from '../../../src/index.ts'
import { describeRoutes } from '../../../src/node.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { isBlocking } from '../../../src/endpoint/definition/attributes.ts'
import { responseTo, sendRequest, validationErrorsOf } from '../../support/send-request.ts'
import { api, blockingModule } from '../../programs/blocking-api.ts'
import { describe, table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'
import { earlyFilterDelay } from '../../support/worker-operations.ts'
import { anonymous } from '../../support/principal-operation.ts'

const operation = pipe(
  path('/x'),
  get(),
  handle(() => undefined),
)
const resource = path('/x')
const onResource = pipe(path('/x'), blocking)

describe('isBlocking', (test) => {
  table(
    test,
    [
      ['the default', operation, false],
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
        'a non-blocking operation of a blocking resource',
        pipe(
          onResource,
          get(),
          nonBlocking,
          handle(() => undefined),
        ),
        false,
      ],
      [
        'a blocking operation of a non-blocking resource',
        pipe(
          resource,
          nonBlocking,
          get(),
          blocking,
          handle(() => undefined),
        ),
        true,
      ],
      ['a transactional operation', pipe(operation, transactional), true],
      ['transactional and nonBlocking', pipe(operation, transactional, nonBlocking), false],
      ['nonBlocking and transactional', pipe(operation, nonBlocking, transactional), false],
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
      [
        'a non-blocking tree in a blocking tree',
        pipe(routes({ in: pipe(inTree, nonBlocking) }), blocking),
        false,
      ],
      [
        'a blocking tree in a non-blocking tree',
        pipe(routes({ in: pipe(inTree, blocking) }), nonBlocking),
        true,
      ],
      ['an undeclared tree in a blocking tree', pipe(routes({ in: inTree }), blocking), true],
      [
        'a non-blocking operation in a blocking tree',
        pipe(routes({ operation: pipe(operation, nonBlocking) }), blocking),
        false,
      ],
      ['a transactional tree', pipe(inTree, transactional), true],
      [
        'a transactional tree in a non-blocking tree',
        pipe(routes({ in: pipe(inTree, transactional) }), nonBlocking),
        false,
      ],
      [
        'a transactional operation in a non-blocking tree',
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

describe('describeRoutes of blocking operations', (test) => {
  test('describeRoutes marks operations that run on a worker', () => {
    const description = describeRoutes(
      routes({
        nonBlocking: pipe(
          path('/y'),
          get(),
          handle(() => undefined),
        ),
        operation: pipe(operation, blocking),
      }),
    )
    assert.equal(
      description.split('\n\n').map((entry) => entry.includes('blocking: runs on a worker')),
      [false, true],
    )
  })
})

describe('conflicting execution declarations', (test) => {
  const inTree = routes({ operation })
  table(
    test,
    [
      [
        'on an operation',
        routes({ a: pipe(operation, blocking, nonBlocking) }),
        /GET \/x {2}\(a\)/,
      ],
      [
        'on an operation, in reverse order',
        routes({ a: pipe(operation, nonBlocking, blocking) }),
        /operation is declared as both/,
      ],
      [
        'on a resource',
        routes({
          a: pipe(
            resource,
            blocking,
            nonBlocking,
            get(),
            handle(() => undefined),
          ),
        }),
        /resource is declared as both/,
      ],
      ['on an inner tree', routes({ in: pipe(inTree, blocking, nonBlocking) }), /\n +in\n/],
      [
        'on a tree, with a prefix between them',
        pipe(inTree, blocking, prefix('/y'), nonBlocking),
        /the root/,
      ],
    ] as const,
    (_, tree, message) => {
      assert.throws(() => compile(tree), /FW-ROUTE-005/)
      assert.throws(() => compile(tree), message)
    },
  )
})

contract(
  'a blocking operation',
  api,
  (test, call) => {
    const sum = (query: string, content: string, headers: Record<string, string> = {}) =>
      sendRequest(call, `POST /sum${query}`, {
        body: content,
        headers: { 'Content-Type': 'application/json', ...headers },
      })
    test('a handler receives its parameters and its context', async () => {
      const response = await sendRequest(call, 'GET /context/a%20b?tag=1&tag=2', {
        headers: { Cookie: 'c=d' },
      })
      const { url, address: _, ...rest } = (await response.json()) as Record<string, unknown>
      assert.equal(rest, {
        input: { x: 'a b', tag: ['1', '2'] },
        method: 'GET',
        x: 'a b',
        name: 'operations.context',
        cookie: 'd',
      })
      assert.match(String(url), /^http:\/\/[^/]+\/context\/a%20b\?tag=1&tag=2$/)
      assert.ok(response.headers.has('X-Handler'))
    })
    test('a handler receives its body', async () => {
      const response = await sum('?factor=2', '{"numbers":[1,2,3]}')
      assert.equal([response.status, await response.json()], [200, { sum: 12 }])
    })
    test('a large byte body is passed unchanged', async () => {
      const data = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)
      const response = await call(new Request(`${base}/echo`, { method: 'POST', body: data }))
      assert.equal(new Uint8Array(await response.arrayBuffer()), data)
    })
    test('text that is not ASCII is sent in UTF-8', async () =>
      assert.equal(await responseTo(call, 'GET /compute/0?as=%C3%BC%E2%82%AC'), [200, 'ü€']))
    test('HEAD sends the Content-Length of GET', async () => {
      const response = await sendRequest(call, 'HEAD /compute/0')
      assert.equal([response.headers.get('Content-Length'), await response.text()], ['8', ''])
    })
    test('a request rewritten by a pre-matching filter reaches the handler', async () => {
      const response = await sendRequest(call, 'GET /rewritten')
      const { input, url } = (await response.json()) as Record<string, unknown>
      assert.equal(input, { x: 'y', tag: ['r'] })
      assert.match(String(url), /\/context\/y\?tag=r$/)
    })
    test('a handler receives the slots of filters, and response filters run once', async () => {
      const response = await sendRequest(call, 'GET /seen')
      assert.match(await response.text(), /^loop, loop (loop|worker), \1, filtered\.seen$/)
      assert.match(response.headers.get('X-Response-Filter') ?? '', /^(?:loop|worker)$/)
    })
    test('a handler receives the principal', async () => {
      const send = (credentials: string) =>
        responseTo(call, 'GET /who', { headers: { Authorization: `Basic ${btoa(credentials)}` } })
      assert.equal(await send('ann:2020'), [200, 'ann, Basic, a reader, "2020"'])
      assert.equal((await send('ann:none'))[0], 401)
      assert.equal(await responseTo(call, 'GET /who'), anonymous)
    })
    test('elapsed() starts at its first call, even in a non-blocking filter', async () => {
      const [, content] = await responseTo(call, 'GET /elapsed')
      // A timer may fire a millisecond early.
      assert.ok(
        Number(content) >= earlyFilterDelay - 2 && Number(content) < 10_000,
        String(content),
      )
    })
    test('preconditions are evaluated before the handler', async () => {
      const first = await sendRequest(call, 'GET /conditional')
      assert.equal([first.headers.get('ETag'), await first.text()], ['"v1"', 'unconditional'])
      const headers = { 'If-None-Match': '"v1"' }
      assert.equal(await responseTo(call, 'GET /conditional', { headers }), [304, ''])
    })
    test('the handler does not run if a non-blocking filter replies', async () => {
      const response = await sendRequest(call, 'GET /seen', { headers: { 'X-Deny': 'early' } })
      assert.equal([response.status, response.headers.get('X-Response-Filter')], [401, 'loop'])
    })
    test('all invalid parameters are reported', async () =>
      assert.equal(await validationErrorsOf(await sum('?factor=x&id=y', '{}')), [
        ['query', 'factor', 'must be an integer'],
        ['query', 'id', 'must be a UUID'],
      ]))
    table(
      test,
      [
        ['a thrown HttpError', () => sendRequest(call, 'GET /seen?deny=1'), 409],
        ['a thrown error', () => sendRequest(call, 'GET /die/throw'), 500],
        ['a stack overflow', () => sendRequest(call, 'GET /die/overflow'), 500],
        ['malformed JSON', () => sum('', '{'), 400],
        ['invalid JSON', () => sum('', '{"numbers":["1"]}'), 400],
        ['a body above the limit', () => sum('', `"${'x'.repeat(400_000)}"`), 413],
        [
          'invalid parameters and a body above the limit',
          () => sum('?factor=x', `"${'x'.repeat(400_000)}"`),
          400,
        ],
        ['a compressed body', () => sum('', '{}', { 'Content-Encoding': 'gzip' }), 415],
        ['an unsupported media type', () => sum('', '{}', { 'Content-Type': 'text/csv' }), 415],
        ['an Accept header without a match', () => sum('', '{}', { Accept: 'text/csv' }), 406],
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
