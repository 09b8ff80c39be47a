import { setTimeout as wait } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  basicAuth,
  bearerToken,
  client,
  clientFilter,
  clientResponse,
  followRedirects,
  ConfigurationError,
  observeRequests,
  retry,
  timeout,
  promiseClient,
} from '../../../src/client.ts'
import type { Fetch } from '../../../src/client.ts'
import { get, path, produces, routes, text } from '../../../src/index.ts'
import { fakeBody } from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { turns } from '../../support/wait-until.ts'

const api = routes({ hello: pipe(path('/hello'), get(), produces(text)) })
const baseUrl = 'http://books.test'

const silent: Fetch = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

/** Responds with a head immediately and with a body later. */
const late: Fetch = async () =>
  new Response(
    new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await wait(60)
        controller.enqueue(new TextEncoder().encode('late'))
        controller.close()
      },
    }),
  )

/** Responds with the request headers as text. */
const echo: Fetch = async (_, { headers }) =>
  new Response(JSON.stringify([...new Headers(headers)].filter(([name]) => name !== 'accept')))

const tagOf = (result: E.Either<object, object>): unknown =>
  E.isLeft(result) && '_tag' in result.left ? result.left._tag : result

/** Returns the `Authorization` header that a client sends. */
const authorization = async (
  options: Partial<Parameters<typeof client>[1]>,
  headers: Record<string, string> = {},
): Promise<unknown> => {
  const library = promiseClient(api, { baseUrl, fetch: echo, ...options })
  return new Map(JSON.parse((await library.hello({}, { headers })).body)).get('authorization')
}

describe('policies of a client', (test) => {
  test('the timeout of a client and the timeout policy end a call with TimedOut', async () => {
    for (const options of [{ timeout: 20 }, { policies: [timeout('20ms')] }])
      assert.is(
        tagOf(await client(api, { baseUrl, fetch: silent, ...options }).hello()()),
        'TimedOut',
      )
  })
  test('timeout: false disables the limit', async () => {
    const result = client(api, { baseUrl, fetch: silent, timeout: false }).hello()()
    assert.is(await Promise.race([result, wait(50, 'waits')]), 'waits')
  })
  test('the timeout of a call overrides that of the client', async () => {
    const patient = client(api, { baseUrl, fetch: silent })
    assert.is(tagOf(await patient.hello({}, { timeout: '20ms' })()), 'TimedOut')
    const hasty = client(api, { baseUrl, fetch: silent, timeout: '20ms' })
    const endless = hasty.hello({}, { timeout: false })()
    assert.is(await Promise.race([endless, wait(60, 'waits')]), 'waits')
  })
  test('an invalid reconnect.delay throws a configuration error', async () => {
    const reconnect = { delay: 'soon' }
    assert.throws(
      () => client(api, { baseUrl, reconnect }),
      (error: unknown) =>
        error instanceof ConfigurationError &&
        error.message.includes('reconnect.delay must be a duration'),
    )
  })
  test('the timeout policy does not limit the body by default', async () => {
    const policies = [timeout('20ms')]
    const result = await client(api, { baseUrl, fetch: late, policies }).hello()()
    assert.is(E.isRight(result) && result.right.body, 'late')
  })
  test('covers: body also limits the body of an undeclared response', async () => {
    for (const init of [{ status: 418 }, { headers: { 'Content-Type': 'image/png' } }]) {
      const content = fakeBody('a', '…')
      const result = await client(api, {
        baseUrl,
        fetch: async () => new Response(content.body, init),
        policies: [timeout('20ms', { covers: 'body' })],
      }).hello()()
      assert.is(tagOf(result), 'TimedOut')
      assert.ok(content.isCancelled())
    }
  })
  table(test, [['soon'], [0], [-1]] as const, (limit) =>
    assert.throws(
      () => client(api, { baseUrl, timeout: limit }),
      (error: unknown) => error instanceof ConfigurationError && error.message.includes('timeout'),
    ),
  )
  test('covers: body limits the body of a declared response', async () => {
    const content = fakeBody('a', '…')
    const slow = client(api, {
      baseUrl,
      fetch: async () => new Response(content.body),
      policies: [timeout('20ms', { covers: 'body' })],
    })
    const result = await slow.hello()()
    assert.is(tagOf(result), 'TimedOut')
    assert.ok(content.isCancelled())
  })
  test('an abort while the body is read results in Aborted, with policies', async () => {
    const content = fakeBody('a', '…')
    const caller = new AbortController()
    const slow = client(api, {
      baseUrl,
      fetch: async (_, { signal }) => {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
        void content.body
          .pipeTo(writable, signal === null || signal === undefined ? {} : { signal })
          .catch(() => undefined)
        return new Response(readable)
      },
      policies: [timeout('1m'), retry({ times: 3 })],
    })
    const result = slow.hello({}, { signal: caller.signal })()
    await turns()
    caller.abort('enough')
    assert.is(tagOf(await result), 'Aborted')
  })
  test('the retry budget is shared by all calls of a client', async () => {
    let count = 0
    const down = client(api, {
      baseUrl,
      fetch: () => {
        count++
        return Promise.reject(new Error('down'))
      },
      policies: [retry({ times: 1, backoff: { first: 1 }, budget: { share: 0, reserve: 1 } })],
    })
    for (let n = 0; n < 3; n++) assert.is(tagOf(await down.hello()()), 'NetworkError')
    assert.is(count, 4)
  })
  test('headers of a call take precedence over credentials of the client', async () => {
    const policies = [bearerToken('token')]
    assert.is(await authorization({ policies }), 'Bearer token')
    assert.is(await authorization({ policies }, { Authorization: 'Custom a' }), 'Custom a')
    assert.is(await authorization({ policies: [basicAuth('ann', 'plum')] }), 'Basic YW5uOnBsdW0=')
  })
  test('user information of the base URL is not sent to another origin', async () => {
    const seen: Array<readonly [url: string, authorization: string | null]> = []
    const wandering = client(api, {
      baseUrl: 'http://ann:plum@books.test',
      fetch: async (url, { headers }) => {
        seen.push([url, new Headers(headers).get('Authorization')])
        return seen.length === 1
          ? new Response(null, { status: 302, headers: { Location: 'http://other.test/' } })
          : new Response('there')
      },
      policies: [followRedirects()],
    })
    const result = await wandering.hello()()
    assert.equal(E.isRight(result) && [result.right.body, result.right.url], [
      'there',
      'http://other.test/',
    ])
    assert.equal(seen, [
      ['http://books.test/hello', 'Basic YW5uOnBsdW0='],
      ['http://other.test/', null],
    ])
  })
  test('a response created by a filter is decoded like that of a service', async () => {
    const responding = clientFilter((request) =>
      clientResponse(request, { headers: { 'Content-Type': 'text/plain' }, content: 'made' }),
    )
    const result = await client(api, { baseUrl, fetch: silent, policies: [responding] }).hello()()
    assert.is(E.isRight(result) && result.right.body, 'made')
  })
  test('policies are ordered by priority, and those of a call are outermost', async () => {
    const order: string[] = []
    const named = (name: string, priority?: number) =>
      clientFilter(
        (request, send) => {
          order.push(name)
          return send(request)
        },
        priority === undefined ? {} : { priority },
      )
    const library = client(api, {
      baseUrl,
      fetch: echo,
      policies: [named('b'), observeRequests(() => order.push('observed')), named('a', 1)],
    })
    await library.hello({}, { policies: [named('call', 9000)] })()
    assert.equal(order, ['call', 'a', 'b', 'observed'])
  })
  test('a Defect names the operation', async () => {
    const broken = clientFilter(() => {
      throw new Error('oops')
    })
    const result = await client(api, { baseUrl, fetch: echo, policies: [broken] }).hello()()
    assert.match(
      E.isLeft(result) && 'message' in result.left ? result.left.message : '',
      /^hello: .*oops/,
    )
  })
})
