import { getEventListeners } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { bearerToken, headers, propagate, basicAuth } from '../../../src/client/policy/headers.ts'
import type { HeadersFactory } from '../../../src/client/policy/headers.ts'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import {
  expectError,
  requestTo,
  responseOf,
  fakeTransport,
  send,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'

const network = () => fakeTransport(() => responseOf(200))
const callWithHeaders = requestTo(undefined, { headers: ['x-a', 'own', 'Accept', '*/*'] })

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
      assert.is(statusOrTag(await send(headers(factory), passage, callWithHeaders)), 200)
      assert.equal(passage.sent[0]?.headers, [...callWithHeaders.headers, ...sent])
    },
  )
  table<readonly [name: string, factory: HeadersFactory, detail: string]>(
    test,
    [
      ['a function that rejects', () => Promise.reject(new Error('oops')), ''],
      [
        'a value with a line break',
        { 'X-B': 'a\r\nX-C: d' },
        ': invalid value for header X-B: must not contain control characters, got one at position 1',
      ],
      ['an invalid name', { 'X B': 'a' }, ': invalid header name: "X B"'],
    ],
    async (_, factory, detail) => {
      const passage = network()
      const failure = expectError(await send(headers(factory), passage))
      assert.equal(
        [failure._tag, failure.message, passage.sent.length],
        [
          'Rejected',
          `books.get: the request was not sent: policy headers failed to create its headers${detail}`,
          0,
        ],
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
      assert.is(statusOrTag(await sent), 'Aborted')
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
        const factory = propagate('X-Request-Id', 'x-tag', 'X-None')(context)
        return String(statusOrTag(await send(headers(factory), passage)))
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

describe('propagate: several headers with the same name', (test) => {
  table(
    test,
    [
      ['x-tag', 'a, b'],
      ['Cookie', 'a; b'],
    ] as const,
    (name, joined) =>
      assert.equal(propagate(name)({ request: { headerValues: () => ['a', 'b'] } }), {
        [name]: joined,
      }),
  )
})

const networkCredentials = () => fakeTransport(() => responseOf(200))

describe('credentials', (test) => {
  test('basicAuth encodes the user name and the password as UTF-8', async () => {
    const passage = networkCredentials()
    await send(basicAuth('Aladdin', 'open sesame'), passage)
    await send(basicAuth('test', '123£'), passage)
    assert.equal(
      passage.sent.map((sent) => sent.headers),
      [
        ['Authorization', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='], // RFC 7617, 2
        ['Authorization', 'Basic dGVzdDoxMjPCow=='], // RFC 7617, 2.1
      ],
    )
    assert.throws(() => basicAuth('a:b', 'c'), TypeError)
  })
  test('bearerToken sends a token, and calls a function for each request', async () => {
    const passage = networkCredentials()
    let n = 0
    await send(bearerToken('a.b-c'), passage)
    const renewed = bearerToken(async () => `t${++n}`)
    await send(renewed, passage)
    await send(renewed, passage)
    assert.equal(
      passage.sent.map((sent) => sent.headers[1]),
      ['Bearer a.b-c', 'Bearer t1', 'Bearer t2'],
    )
    assert.throws(() => bearerToken('two words'), TypeError)
  })
  table<readonly [name: string, token: () => string | undefined | Promise<string | undefined>]>(
    test,
    [
      ['undefined', () => undefined],
      ['a promise of undefined', async () => undefined],
    ],
    async (_, token) => {
      const passage = networkCredentials()
      assert.is(statusOrTag(await send(bearerToken(token), passage)), 200)
      assert.equal(passage.sent[0]?.headers, [])
    },
  )
  table<readonly [name: string, token: () => string]>(
    test,
    [
      ['an empty token', () => ''],
      ['a token with a line break', () => 'secret\r\nb'],
      ['a number', () => JSON.parse('7')],
      ['null', () => JSON.parse('null')],
      ['a token with a space', () => 'Bearer secret'],
    ],
    async (_, token) => {
      const passage = networkCredentials()
      const { _tag, message, cause } = expectError(await send(bearerToken(token), passage))
      assert.is(_tag, 'Rejected')
      assert.match(
        message,
        'policy bearer-token failed to create its headers: invalid bearer token: expected',
      )
      assert.not.match(`${message} ${String(cause)}`, 'secret')
      assert.is(passage.sent.length, 0)
    },
  )
  test('the message of an error in the token function is not part of the message', async () => {
    const failing = bearerToken(async () => {
      throw new TypeError('secret')
    })
    const { message, cause } = expectError(await send(failing, networkCredentials()))
    assert.not.match(message, 'secret')
    assert.instance(cause, TypeError)
  })
  test('an Authorization header of the request takes precedence', async () => {
    const passage = networkCredentials()
    const request = requestTo(undefined, { headers: ['authorization', 'Custom a'] })
    await send([basicAuth('a', 'b'), bearerToken('c')], passage, request)
    assert.equal(passage.sent[0]?.headers, ['authorization', 'Custom a'])
  })
})
