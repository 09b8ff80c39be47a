/** The types and the values with which clients receive the responses of limited operations. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { expectTypeOf } from 'expect-type'
import * as assert from 'uvu/assert'
import type { ClientError } from '../../src/client.ts'
import { client, isClientError } from '../../src/client.ts'
import { get, handle, path, post, produces, rateLimit, routes, text } from '../../src/index.ts'
import type { QuotaExceeded } from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

const ping = (template: string) =>
  pipe(
    path(template),
    get(),
    produces(text),
    handle(() => 'pong'),
  )
const once = rateLimit({ limit: 1, window: '1h' })
const resource = pipe(path('/resource'), once)

const api = routes({
  operation: pipe(ping('/operation'), once),
  onResource: pipe(
    resource,
    post(),
    produces(text),
    handle(() => 'pong'),
  ),
  tree: pipe(routes({ inTree: ping('/in-tree') }), once),
  unlimited: ping('/unlimited'),
})

describe('a client of limited operations', (test) => {
  const service = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
  const calls = [
    ['an operation', service.operation],
    ['an operation of a resource', service.onResource],
    ['an operation of a tree', service.tree.inTree],
  ] as const
  for (const [title, call] of calls)
    test(`receives the problem document of ${title} as a declared failure`, async () => {
      assert.ok(E.isRight(await call()()))
      const second = await call()()
      if (E.isRight(second) || isClientError(second.left)) throw new Error('expected a failure')
      const { status, body, headers } = second.left
      expectTypeOf(status).toEqualTypeOf<429>()
      expectTypeOf(body).toEqualTypeOf<QuotaExceeded>()
      assert.is(status, 429)
      assert.equal(body['violated-policies'], ['default'])
      assert.is(body.type, 'https://iana.org/assignments/http-problem-types#quota-exceeded')
      assert.is(headers.get('Retry-After'), '3600')
    })
  test('has no such failure in the type of another operation', async () => {
    const result = await service.unlimited()()
    if (E.isLeft(result)) expectTypeOf(result.left).toEqualTypeOf<ClientError>()
    assert.ok(E.isRight(result))
  })
  test('receives problem documents of other types, such as that of a gateway', async () => {
    const gateway = client(api, {
      baseUrl: 'http://localhost',
      fetch: async () =>
        new Response('{"title":"Slow down"}', {
          status: 429,
          headers: { 'Content-Type': 'application/problem+json' },
        }),
    })
    const result = await gateway.operation()()
    if (E.isRight(result) || isClientError(result.left)) throw new Error('expected a failure')
    assert.equal(result.left.body, { title: 'Slow down' })
  })
})
