import { getEventListeners } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { bearerToken } from '../../../src/client/policy/credentials.ts'
import type { HeadersFactory } from '../../../src/client/policy/headers.ts'
import { headers, propagate } from '../../../src/client/policy/headers.ts'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import {
  expectError,
  requestTo,
  responseOutcome,
  fakeTransport,
  send,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'

const network = () => fakeTransport(() => responseOutcome(200))
const own = requestTo(undefined, { headers: ['x-a', 'own', 'Accept', '*/*'] })

describe('headers', (test) => {
  table<readonly [name: string, factory: HeadersFactory, sent: ReadonlyArray<string>]>(
    test,
    [
      ['static headers', { 'X-B': 'b' }, ['X-B', 'b']],
      ['User-Agent', { 'User-Agent': 'mine/1' }, ['User-Agent', 'mine/1']],
      ['a function', ({ method }) => ({ 'X-B': method }), ['X-B', 'GET']],
      ['an asynchronous function', async () => ({ 'X-B': 'b' }), ['X-B', 'b']],
      ['undefined is omitted', { 'X-B': undefined }, []],
      ['a list becomes several headers', { 'X-B': ['b', 'c'] }, ['X-B', 'b', 'X-B', 'c']],
      ['headers of the request take precedence', { 'X-A': 'a', ACCEPT: 'a' }, []],
    ],
    async (_, factory, sent) => {
      const passage = network()
      assert.is(outcomeName(await send(headers(factory), passage, own)), 200)
      assert.equal(passage.sent[0]?.headers, [...own.headers, ...sent])
    },
  )
  table<readonly [name: string, factory: HeadersFactory]>(
    test,
    [
      ['a function that rejects', () => Promise.reject(new Error('oops'))],
      ['a value with a line break', { 'X-B': 'a\r\nX-C: d' }],
      ['an invalid name', { 'X B': 'a' }],
    ],
    async (_, factory) => {
      const passage = network()
      const failure = expectError(await send(headers(factory), passage))
      assert.equal(
        [failure._tag, failure.message, passage.sent.length],
        ['Refused', 'books.get: not sent: policy headers failed to create its headers', 0],
      )
      assert.instance(failure.cause, Error)
    },
  )
})

describe('headers: asynchronous functions', (test) => {
  for (const policy of [
    headers(() => new Promise(() => undefined)),
    bearerToken(() => new Promise(() => undefined)),
  ])
    test('an abort settles the call although the function is pending', async () => {
      const caller = new AbortController()
      const passage = network()
      const sent = send(policy, passage, requestTo(undefined, { signal: caller.signal }))
      caller.abort()
      assert.is(outcomeName(await sent), 'Aborted')
      assert.equal([passage.sent.length, getEventListeners(caller.signal, 'abort').length], [0, 0])
    })
})

describe('propagate', (test) => {
  test('copies headers of the request being handled', async () => {
    const passage = network()
    const proxy = pipe(
      path('/proxy'),
      get(),
      produces(text),
      handle(async (_, context) => {
        const fields = propagate('X-Request-Id', 'x-tag', 'X-None')(context)
        return String(outcomeName(await send(headers(fields), passage)))
      }),
    )
    const call = inMemory(routes({ proxy }))
    const sent = [
      ['x-request-id', 'id-1'],
      ['Authorization', 'Bearer a'],
      ['X-Tag', 'a'],
    ] satisfies Array<[string, string]>
    await call(new Request('http://localhost/proxy', { headers: sent }))
    assert.equal(passage.sent[0]?.headers, ['X-Request-Id', 'id-1', 'x-tag', 'a'])
  })
})

describe('propagate: several headers of one name', (test) => {
  table(
    test,
    [
      ['x-tag', 'a, b'],
      ['Cookie', 'a; b'],
    ] as const,
    (name, joined) =>
      assert.equal(propagate(name)({ request: { headerLines: () => ['a', 'b'] } }), {
        [name]: joined,
      }),
  )
})
