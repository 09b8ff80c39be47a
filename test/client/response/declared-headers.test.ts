/** The decoded values of declared response headers in the results of calls. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { client, promiseClient } from '../../../src/client.ts'
import {
  fails,
  get,
  int,
  json,
  list,
  optional,
  path,
  produces,
  query,
  responseHeaders,
  routes,
  separated,
  string,
  text,
} from '../../../src/index.ts'
import { describe } from '../../support/describe.ts'

const api = routes({
  list: pipe(
    path('/list'),
    get(),
    query({ page: optional(int) }),
    produces(json(list(int))),
    fails(429, text),
    fails(404),
    responseHeaders({ xTotalCount: int, xPage: optional(int), tags: separated(',')(list(string)) }),
    responseHeaders(429, { retryAfter: int }),
  ),
})

const respond =
  (status: number, headers: Readonly<Record<string, string>>, body = '[1]') =>
  async () =>
    new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })

const failureOf = async (status: number, headers: Readonly<Record<string, string>>) => {
  const all = { 'Content-Type': 'text/plain', ...headers }
  const options = { baseUrl: 'http://localhost', fetch: respond(status, all, 'slow down') }
  const result = await client(api, options).list()()
  assert.ok(E.isLeft(result) && result.left._tag === undefined)
  return result.left
}

describe('declared response headers in a client', (test) => {
  test('are decoded', async () => {
    const service = promiseClient(api, {
      baseUrl: 'http://localhost',
      fetch: respond(200, { 'x-total-count': '70', Tags: 'a,b' }),
    })
    const { header, headers, body, url } = await service.list()
    const total: number = header.xTotalCount
    assert.is(total, 70)
    assert.equal(header, { xTotalCount: 70, xPage: undefined, tags: ['a', 'b'] })
    assert.is(headers.get('X-Total-Count'), '70')
    assert.equal(body, [1])
    assert.type(url, 'string')
  })

  for (const [title, headers, expected] of [
    ['missing', { Tags: 'a' }, 'header X-Total-Count'],
    ['invalid', { 'X-Total-Count': 'many', Tags: 'a' }, 'header X-Total-Count'],
  ] as const)
    test(`that are ${title} result in a DecodeError`, async () => {
      const service = client(api, { baseUrl: 'http://localhost', fetch: respond(200, headers) })
      const result = await service.list()()
      assert.ok(E.isLeft(result) && result.left._tag === 'DecodeError')
      assert.match(result.left.message, 'invalid headers in a response with status 200')
      assert.match(JSON.stringify(result.left), expected.slice('header '.length))
    })

  test('of a failure are decoded if they are present', async () => {
    const declared = await failureOf(429, { 'Retry-After': '9' })
    if (declared.status === 429) {
      const seconds: number | undefined = declared.header.retryAfter
      assert.is(seconds, 9)
    }
    assert.equal((await failureOf(429, {})).header, {})
    assert.equal((await failureOf(429, { 'Retry-After': 'soon' })).header, {})
    assert.equal((await failureOf(404, {})).header, {})
  })
})
