/** Requests with an `Idempotency-Key`: which of them run the operation, and which receive an earlier response. */
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { responseTo } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { Keyed } from './keyed-operations.ts'
import { holdRuns, keyedOperations, newKey, runs, sendKeyed } from './keyed-operations.ts'

const emma = '{"book":"Emma","copies":2}'
const replayed = (response: Response): boolean =>
  response.headers.get('idempotent-replayed') === 'true'

/** What a request resulted in: a run of the operation, an earlier response, or an error. */
type Effect = 'run' | 'replay' | number

contract('idempotent operations', keyedOperations, (test, call) => {
  const effectOf = async (request: Keyed): Promise<Effect> => {
    const before = runs.count
    const response = await sendKeyed(call, request)
    await response.arrayBuffer()
    if (runs.count > before) {
      assert.is(replayed(response), false)
      return 'run'
    }
    return replayed(response) ? 'replay' : response.status
  }
  const effectsOf = async (...requests: ReadonlyArray<Keyed>): Promise<ReadonlyArray<Effect>> => {
    const found: Effect[] = []
    for (const request of requests) found.push(await effectOf(request))
    return found
  }
  const order = { line: 'POST /orders', json: emma }

  // requests with the same key, unless they have one, and their effectsOf
  const rows: ReadonlyArray<
    [title: string, requests: ReadonlyArray<Keyed>, expected: ReadonlyArray<Effect>]
  > = [
    ['the same request is replayed', [order, order, order], ['run', 'replay', 'replay']],
    [
      'the order of members does not matter',
      [order, { ...order, json: ' { "copies" :2, "book":"Emma"}' }],
      ['run', 'replay'],
    ],
    [
      'undeclared members do not matter',
      [order, { ...order, json: '{"book":"Emma","copies":2,"x":1}' }],
      ['run', 'replay'],
    ],
    [
      'another body returns 422',
      [order, { ...order, json: '{"book":"Emma","copies":3}' }],
      ['run', 422],
    ],
    [
      'an invalid body does not use the key',
      [{ ...order, json: '{"book":"Emma"}' }, order],
      [400, 'run'],
    ],
    ['another operation returns 422', [order, { ...order, line: 'POST /others' }], ['run', 422]],
    [
      'another path variable returns 422',
      [{ line: 'POST /orders/1/copies' }, { line: 'POST /orders/2/copies' }],
      ['run', 422],
    ],
    [
      'another form of a path variable is replayed',
      [{ line: 'POST /orders/1/copies' }, { line: 'POST /orders/%31/copies' }],
      ['run', 'replay'],
    ],
    [
      'another query returns 422',
      [{ line: 'POST /search?page=1' }, { line: 'POST /search?page=2' }],
      ['run', 422],
    ],
    [
      'an undeclared query parameter does not matter',
      [{ line: 'POST /search?page=1' }, { line: 'POST /search?x=1&page=1' }],
      ['run', 'replay'],
    ],
    [
      'another prefix variable returns 422',
      [{ line: 'POST /tenants/1/members' }, { line: 'POST /tenants/2/members' }],
      ['run', 422],
    ],
    [
      'the same prefix variable is replayed',
      [{ line: 'POST /tenants/1/members' }, { line: 'POST /tenants/1/members' }],
      ['run', 'replay'],
    ],
    [
      'another principal has keys of its own',
      [
        { ...order, headers: { 'X-User': 'ann' } },
        { ...order, headers: { 'X-User': 'bob' } },
        { ...order, json: '{"book":"Persuasion","copies":1}', headers: { 'X-User': 'eve' } },
        order,
        { ...order, headers: { 'X-User': 'ann' } },
      ],
      ['run', 'run', 'run', 'run', 'replay'],
    ],
    [
      'another media type returns 422',
      [
        { line: 'POST /negotiated', headers: { Accept: 'text/plain' } },
        { line: 'POST /negotiated', headers: { Accept: 'application/json' } },
        { line: 'POST /negotiated', headers: { Accept: 'application/xml;q=0.1, text/*' } },
      ],
      ['run', 422, 'replay'],
    ],
    [
      'a quoted key is equal to a bare one',
      [
        { ...order, key: 'shared-1' },
        { ...order, key: '"shared-1"' },
      ],
      ['run', 'replay'],
    ],
    [
      'a response without a body is replayed',
      [{ line: 'POST /empty' }, { line: 'POST /empty' }],
      ['run', 'replay'],
    ],
    [
      'a response that is too large is not replayed, and the operation does not run again',
      [{ line: 'POST /large' }, { line: 'POST /large' }],
      ['run', 409],
    ],
    [
      'an excluded operation runs again',
      [{ line: 'POST /excluded' }, { line: 'POST /excluded' }],
      ['run', 'run'],
    ],
    ['PUT is replayed', [{ line: 'PUT /orders/1' }, { line: 'PUT /orders/1' }], ['run', 'replay']],
    [
      'DELETE is replayed',
      [{ line: 'DELETE /orders/1' }, { line: 'DELETE /orders/1' }],
      ['run', 'replay'],
    ],
    ['GET runs again', [{ line: 'GET /orders' }, { line: 'GET /orders' }], ['run', 'run']],
    [
      'an internal error is replayed',
      [{ line: 'POST /crash' }, { line: 'POST /crash' }],
      ['run', 'replay'],
    ],
    ...[400, 402, 404, 409, 410, 412, 422, 500, 502, 504].map(
      (status): [string, ReadonlyArray<Keyed>, ReadonlyArray<Effect>] => [
        `status ${status} is replayed`,
        [{ line: `POST /failing/${status}` }, { line: `POST /failing/${status}` }],
        ['run', 'replay'],
      ],
    ),
    ...[401, 403, 408, 413, 429, 503].map(
      (status): [string, ReadonlyArray<Keyed>, ReadonlyArray<Effect>] => [
        `status ${status} is not replayed`,
        [{ line: `POST /failing/${status}` }, { line: `POST /failing/${status}` }],
        ['run', 'run'],
      ],
    ),
  ]
  table(test, rows, async (_, requests, expected) => {
    const key = newKey()
    assert.equal(await effectsOf(...requests.map((request) => ({ key, ...request }))), expected)
  })

  const keys: ReadonlyArray<[title: string, request: Keyed, expected: Effect]> = [
    ['POST without a key returns 400', order, 400],
    ['POST with an empty key returns 400', { ...order, key: '' }, 400],
    ['POST with a malformed key returns 400', { ...order, key: 'a b' }, 400],
    ['POST with two keys returns 400', { ...order, key: 'a, b' }, 400],
    ['POST with a bare key returns 400 in strict mode', { line: 'POST /strict', key: 'a' }, 400],
    ['POST with a quoted key runs in strict mode', { line: 'POST /strict', key: '"a"' }, 'run'],
    ['POST without a key runs if it is optional', { line: 'POST /optional' }, 'run'],
    [
      'POST with a malformed key returns 400 if it is optional',
      { line: 'POST /optional', key: '"' },
      400,
    ],
    ['POST without a key runs if the operation is excluded', { line: 'POST /excluded' }, 'run'],
    ['PUT without a key runs', { line: 'PUT /orders/1' }, 'run'],
    ['DELETE without a key runs', { line: 'DELETE /orders/1' }, 'run'],
    ['PUT with a malformed key returns 400', { line: 'PUT /orders/1', key: 'a b' }, 400],
    ['GET with a malformed key runs', { line: 'GET /orders', key: 'a b' }, 'run'],
    // the key is checked before the body is read
    ['an invalid body without a key returns 400', { line: 'POST /orders', json: '{' }, 400],
  ]
  table(test, keys, async (_, request, expected) => {
    assert.equal(await effectOf(request), expected)
  })

  test('a missing key is described as the only validation error', async () => {
    const [status, problem] = await responseTo(call, 'POST /orders', {
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    })
    assert.is(status, 400)
    assert.match(
      JSON.stringify(problem),
      '"errors":[{"in":"header","name":"idempotency-key","detail":"is required',
    )
  })

  test('a replayed response has the status, the headers and the body of the first one', async () => {
    const key = newKey()
    const first = await sendKeyed(call, { ...order, key })
    const second = await sendKeyed(call, { ...order, key })
    assert.equal([first.status, second.status], [201, 201])
    assert.is(await second.text(), await first.text())
    for (const name of ['location', 'content-type', 'content-length', 'x-run'])
      assert.is(second.headers.get(name), first.headers.get(name), name)
    assert.is(second.headers.get('x-run'), '2')
    // filters add headers to each response
    const numbers = [first, second].map(({ headers }) => Number(headers.get('x-number')))
    assert.ok((numbers[1] ?? 0) > (numbers[0] ?? 0))
  })

  test('a request that repeats a running one returns 409 with Retry-After', async () => {
    const key = newKey()
    const open = holdRuns()
    const { count } = runs
    const first = sendKeyed(call, { ...order, key })
    await waitUntil(() => runs.count > count)
    const second = await sendKeyed(call, { ...order, key })
    assert.equal([second.status, second.headers.get('retry-after')], [409, '1'])
    assert.match(await second.text(), 'still running')
    assert.is(await effectOf({ ...order, key, json: '{"book":"Emma","copies":9}' }), 422)
    open()
    assert.is((await first).status, 201)
    assert.is(await effectOf({ ...order, key }), 'replay')
    assert.is(runs.count, count + 1)
  })

  test('of many requests at the same time, one runs', async () => {
    const key = newKey()
    const { count } = runs
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => sendKeyed(call, { ...order, key })),
    )
    assert.is(runs.count, count + 1)
    for (const response of responses)
      assert.ok(response.status === 409 || response.status === 201, String(response.status))
  })

  test('the response is stored if the client disconnects while the handler runs', async () => {
    const key = newKey()
    const open = holdRuns()
    const { count } = runs
    const controller = new AbortController()
    const first = sendKeyed(call, { ...order, key, signal: controller.signal }).catch(() => 'gone')
    await waitUntil(() => runs.count > count)
    controller.abort()
    assert.is(await first, 'gone')
    open()
    let effect: Effect = 409
    await waitUntil(async () => (effect = await effectOf({ ...order, key })) !== 409)
    assert.equal([effect, runs.count], ['replay', count + 1])
  })

  test('an operation that was aborted by a disconnect can be repeated', async () => {
    const key = newKey()
    const open = holdRuns()
    const { count } = runs
    const controller = new AbortController()
    const request = { line: 'POST /aborted', key }
    const first = sendKeyed(call, { ...request, signal: controller.signal }).catch(() => 'gone')
    await waitUntil(() => runs.count > count)
    controller.abort()
    assert.is(await first, 'gone')
    await waitUntil(() => runs.isAborted())
    open()
    let effect: Effect = 409
    await waitUntil(async () => (effect = await effectOf(request)) !== 409)
    assert.is(effect, 'run')
  })

  test('a request that has timed out can be repeated when its handler has settled', async () => {
    const request = { line: 'POST /slow', key: newKey() }
    const open = holdRuns()
    assert.equal(
      [await effectOf(request), await effectOf(request), await effectOf(request)],
      ['run', 409, 409],
    )
    open()
    let effect: Effect = 409
    await waitUntil(async () => (effect = await effectOf(request)) !== 409)
    assert.is(effect, 'run')
    assert.is(await effectOf(request), 'replay')
  })
})

contract(
  'idempotent operations with compression',
  keyedOperations,
  (test, call) => {
    test('a response is compressed for each request', async () => {
      const key = newKey()
      const send = (coding: string): Promise<Response> =>
        sendKeyed(call, {
          line: 'POST /negotiated',
          key,
          headers: { 'Accept-Encoding': coding, Accept: 'text/plain' },
        })
      const text = await (await send('identity')).text()
      const compressed = await send('gzip')
      assert.equal(
        [compressed.headers.get('content-encoding'), replayed(compressed)],
        ['gzip', true],
      )
      assert.is(gunzipSync(await compressed.arrayBuffer()).toString(), text)
    })
  },
  { 'fw.http.enable-compression': true },
)
