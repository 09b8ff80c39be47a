/** Tests of blocking operations: where operations, filters and callbacks run, and which values workers receive. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { api } from '../../programs/blocking-api.ts'
import { describe, table } from '../../support/describe.ts'
import { fetchText, recordLog, options, statusOf } from '../../support/workers.ts'
import { waitUntil } from '../../support/wait-until.ts'

const echo = async ({ url }: Server, body: string): Promise<string> =>
  (await fetch(`${url}/echo`, { method: 'POST', body: new TextEncoder().encode(body) })).text()

describe('workers', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serve(api, options)
  })
  after(() => server.close())

  table(
    test,
    [
      ['/undeclared', 'loop'],
      ['/operation', 'worker'],
      ['/resource', 'worker'],
      ['/overridden', 'loop'],
      ['/transaction', 'worker'],
      ['/light-transaction', 'loop'],
      ['/below', 'worker'],
      ['/but', 'loop'],
      ['/transaction-below', 'worker'],
      ['/inner-light', 'loop'],
      ['/inner-transaction', 'loop'],
      ['/heavy', 'worker'],
    ] as const,
    async (target, thread) => assert.equal(await fetchText(server, target), [200, thread]),
  )
  test('filters run on the worker, non-blocking filters on the event loop', async () => {
    const response = await fetch(`${server.url}/seen`)
    assert.is(await response.text(), 'loop, loop worker, worker, filtered.seen')
    assert.is(response.headers.get('X-Response-Filter'), 'worker')
  })
  test('pre-matching filters of a blocking operation run once, on the event loop', async () =>
    assert.is((await fetch(`${server.url}/seen`)).headers.get('X-Pre-Matching'), 'loop'))
  test('variables of prefixes are decoded on the event loop and on the worker', async () => {
    assert.equal(await fetchText(server, '/dated/2024-02-03/length'), [200, 'true 2 29'])
    assert.is(await statusOf(server, '/dated/2024-02-30/length'), 404)
  })
  test('calls from a worker run on the same worker', async () => {
    const [status, result] = await fetchText(server, '/calls')
    assert.is(status, 200)
    assert.match(result, /^([1-9]\d*),\1 no,\1 yes$/)
  })
  test('calls with filters from the event loop are dispatched to a worker', async () => {
    const [status, result] = await fetchText(server, '/calls-from-loop')
    assert.is(status, 200)
    assert.match(result, /^0,0 no,[1-9]\d* yes$/)
  })
  test('headers that a handler adds are sent', async () =>
    assert.is((await fetch(`${server.url}/context/1`)).headers.get('X-Handler'), 'worker'))
  test('end callbacks are called on the worker', async () => {
    assert.is(await statusOf(server, '/ending'), 200)
    await waitUntil(async () => (await fetchText(server, '/ended'))[1] === 'worker 200')
  })
  test('non-blocking operations are served while a worker computes', async () => {
    let computing = true
    const heavy = statusOf(server, '/compute/1000').finally(() => (computing = false))
    for (let i = 0; i < 5; i++) assert.is(await statusOf(server, '/light'), 200)
    assert.ok(computing)
    assert.is(await heavy, 200)
  })
  test('an end callback registered after the response is called', async () => {
    assert.is(await statusOf(server, '/later'), 200)
    await waitUntil(async () => (await fetchText(server, '/ends'))[1] === 'later 200')
  })
  test('the buffer of a small body is not transferred with other requests', async () => {
    const bodies = Array.from({ length: 40 }, (_, n) => String(n).repeat(n + 1))
    const echoed: string[] = []
    for (let at = 0; at < bodies.length; at += 8)
      echoed.push(
        ...(await Promise.all(bodies.slice(at, at + 8).map((body) => echo(server, body)))),
      )
    assert.equal(echoed, bodies)
  })
  test('a thousand concurrent requests get their own responses', async () => {
    const inputs = Array.from({ length: 1000 }, (_, index) => index)
    const results: string[] = []
    for (let at = 0; at < inputs.length; at += 8) {
      const batch = await Promise.all(
        inputs.slice(at, at + 8).map((n) => fetchText(server, `/compute/0?as=${n}`)),
      )
      results.push(...batch.map(([, text]) => text))
    }
    assert.equal(results, inputs.map(String))
  })
  test('hundreds of concurrent requests have their own principals', async () => {
    const inputs = Array.from({ length: 400 }, (_, index) => `user${index}`)
    const results: string[] = []
    for (let at = 0; at < inputs.length; at += 8) {
      const batch = inputs.slice(at, at + 8).map(async (user) => {
        const Authorization = `Basic ${btoa(`${user}:since ${user}`)}`
        return (await fetch(`${server.url}/who`, { headers: { Authorization } })).text()
      })
      results.push(...(await Promise.all(batch)))
    }
    assert.equal(
      results,
      inputs.map((user) => `${user}, Basic, a reader, "since ${user}"`),
    )
  })
})

describe('dependencies from filters on the event loop', (test, { before, after }) => {
  const { lines, logger } = recordLog()
  let server: Server
  before(async () => {
    server = await serve(api, { ...options, logger })
  })
  after(() => server.close())

  test('plain data arrives unchanged', async () =>
    assert.equal(await fetchText(server, '/dependency?kind=plain'), [
      200,
      '{"a":[1,"1970-01-01T00:00:00.000Z",{}],"n":null}',
    ]))
  table(
    test,
    [
      ['function', 'value is a function'],
      ['symbol', 'value is a symbol'],
      ['instance', 'value is an instance of Custom, which structured cloning does not preserve'],
      [
        'nested',
        'value.deep[1].url is an instance of URL, which structured cloning does not preserve',
      ],
      ['inMap', 'value is an instance of Custom, which structured cloning does not preserve'],
      ['proxy', 'value is a Proxy object, which structured cloning does not support'],
    ] as const,
    async (kind, reason) => {
      lines.length = 0
      assert.is(await statusOf(server, `/dependency?kind=${kind}`), 500)
      assert.ok(
        lines.some((line) =>
          line.includes(`dependencies.dependency cannot be dispatched to a worker: ${reason}`),
        ),
        lines.join('\n'),
      )
    },
  )
})
