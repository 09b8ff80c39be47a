/** Blocking operations: filters, callbacks and values on workers. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { api } from '../../support/blocking-api.ts'
import { describe, table } from '../../support/describe.ts'
import { ask, kept, options, statusOf, until } from '../../support/workers.ts'

const echo = async ({ url }: Server, content: string): Promise<string> =>
  (await fetch(`${url}/echo`, { method: 'POST', body: new TextEncoder().encode(content) })).text()

describe('workers', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serve(api, options)
  })
  after(() => server.close())

  table(
    test,
    [
      ['/unsaid', 'loop'],
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
    async (target, place) => assert.equal(await ask(server, target), [200, place]),
  )
  test('filters run on the worker, early filters on the event loop', async () => {
    const response = await fetch(`${server.url}/seen`)
    assert.is(await response.text(), 'loop, loop worker, worker, filtered.seen')
    assert.is(response.headers.get('X-Response-Filter'), 'worker')
  })
  test('headers that a handler adds are sent', async () =>
    assert.is((await fetch(`${server.url}/context/1`)).headers.get('X-Handler'), 'worker'))
  test('end callbacks are called on the worker', async () => {
    assert.is(await statusOf(server, '/ending'), 200)
    await until(async () => (await ask(server, '/ended'))[1] === 'worker 200')
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
    await until(async () => (await ask(server, '/ends'))[1] === 'later 200')
  })
  test('the buffer of a small body is not transferred with other requests', async () => {
    const contents = Array.from({ length: 40 }, (_, n) => String(n).repeat(n + 1))
    const echoed: string[] = []
    for (let at = 0; at < contents.length; at += 8)
      echoed.push(
        ...(await Promise.all(contents.slice(at, at + 8).map((content) => echo(server, content)))),
      )
    assert.equal(echoed, contents)
  })
  test('a thousand concurrent requests get their own responses', async () => {
    const asked = Array.from({ length: 1000 }, (_, index) => index)
    const answers: string[] = []
    for (let at = 0; at < asked.length; at += 8) {
      const some = await Promise.all(
        asked.slice(at, at + 8).map((n) => ask(server, `/compute/0?as=${n}`)),
      )
      answers.push(...some.map(([, text]) => text))
    }
    assert.equal(answers, asked.map(String))
  })
  test('hundreds of concurrent requests have their own principals', async () => {
    const asked = Array.from({ length: 400 }, (_, index) => `user${index}`)
    const answers: string[] = []
    for (let at = 0; at < asked.length; at += 8) {
      const some = asked.slice(at, at + 8).map(async (user) => {
        const Authorization = `Basic ${btoa(`${user}:since ${user}`)}`
        return (await fetch(`${server.url}/who`, { headers: { Authorization } })).text()
      })
      answers.push(...(await Promise.all(some)))
    }
    assert.equal(
      answers,
      asked.map((user) => `${user}, Basic, a reader, "since ${user}"`),
    )
  })
})

describe('values that early filters provide', (test, { before, after }) => {
  const { lines, logger } = kept()
  let server: Server
  before(async () => {
    server = await serve(api, { ...options, logger })
  })
  after(() => server.close())

  test('plain data arrives unchanged', async () =>
    assert.equal(await ask(server, '/given?kind=plain'), [
      200,
      '{"a":[1,"1970-01-01T00:00:00.000Z",{}],"n":null}',
    ]))
  table(
    test,
    [
      ['function', 'odd is a function'],
      ['symbol', 'odd is a symbol'],
      ['instance', 'odd is an instance of Custom'],
      ['nested', 'odd.deep[1].url is an instance of URL'],
      ['inMap', 'odd is an instance of Custom'],
      ['proxy', 'odd is a proxy'],
    ] as const,
    async (kind, said) => {
      lines.length = 0
      assert.is(await statusOf(server, `/given?kind=${kind}`), 500)
      assert.ok(
        lines.some((line) =>
          line.includes(`givenOdd.given cannot be dispatched to a worker: ${said}`),
        ),
        lines.join('\n'),
      )
    },
  )
})
