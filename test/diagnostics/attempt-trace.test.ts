/** The messages of the channels `tracing:espalier.client.attempt:*`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AttemptTrace, ClientOptions } from '../../src/client.ts'
import { client, hedge, retry } from '../../src/client.ts'
import {
  fails,
  get,
  handle,
  int,
  path,
  post,
  produces,
  query,
  routes,
  ServiceUnavailable,
  text,
  textStream,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { describe } from '../support/describe.ts'
import { serveLocally } from '../support/loopback.ts'
import { waitUntil } from '../support/wait-until.ts'
import { unusedUrl } from '../support/while-listening.ts'

const store = new AsyncLocalStorage<string>()

/** Returns a tree whose operation `book` fails until it has been called as often as the id says. */
const newApi = () => {
  let calls = 0
  const book = pipe(
    path('/books/{id}', { id: int }),
    get(),
    query({ page: int }),
    produces(text),
    fails(404),
    handle(({ path: { id } }, { request }) => {
      if (++calls <= id) throw new ServiceUnavailable('later')
      return `${request.header('traceparent')} ${store.getStore()}`
    }),
  )
  const add = pipe(
    path('/books'),
    post(),
    produces(text),
    handle(() => 'added'),
  )
  const pages = pipe(
    path('/pages'),
    get(),
    produces(textStream),
    handle(async function* () {
      yield 'one'
      await new Promise(() => undefined)
    }),
  )
  return routes({ book, add, pages })
}

/** What was published about an attempt, and on which channels. */
interface Recorded {
  readonly trace: AttemptTrace
  readonly names: string[]
}

const complete = ['start', 'end', 'asyncStart', 'asyncEnd']

/** Calls `run` while the channels are observed. Resolves when all attempts have ended. */
const record = async <A>(
  run: () => Promise<A>,
): Promise<{ readonly result: A; readonly attempts: ReadonlyArray<Recorded> }> => {
  const channel = tracingChannel<string, object>('espalier.client.attempt')
  const recorded = new Map<unknown, Recorded>()
  const listener = (name: string) => (message: unknown) => {
    const trace = message as AttemptTrace
    if (name === 'start') trace.setHeader('traceparent', `attempt ${trace.resendCount}`)
    const known = recorded.get(message) ?? { trace, names: [] }
    known.names.push(name)
    recorded.set(message, known)
  }
  const subscribers = {
    start: listener('start'),
    end: listener('end'),
    asyncStart: listener('asyncStart'),
    asyncEnd: listener('asyncEnd'),
    error: listener('error'),
  }
  channel.subscribe(subscribers)
  channel.start.bindStore(store, () => 'in a context')
  try {
    const result = await run()
    await waitUntil(() => [...recorded.values()].every(({ names }) => names.includes('asyncEnd')))
    return { result, attempts: [...recorded.values()] }
  } finally {
    channel.unsubscribe(subscribers)
    channel.start.unbindStore(store)
  }
}

const service = (options: Partial<ClientOptions> = {}) => {
  const api = newApi()
  return client(api, {
    baseUrl: 'http://service.test',
    fetch: inMemory(api, { logger: silentLogger }),
    ...options,
  })
}

describe('attempts on diagnostics channels', (test) => {
  test('a call is one attempt, in the stores of subscribers, with the headers that they set', async () => {
    const { result, attempts } = await record(
      service().book({ path: { id: 0 }, query: { page: 2 } }),
    )
    assert.ok(E.isRight(result))
    assert.is(result.right.body, 'attempt 0 in a context')
    assert.is(attempts.length, 1)
    const [{ trace, names } = { trace: undefined, names: [] }] = attempts
    assert.equal(names, complete)
    assert.is(trace?.operation, 'book')
    assert.is(trace?.route, '/books/{id}')
    assert.is(trace?.method, 'GET')
    assert.is(trace?.url, 'http://service.test/books/0?page=2')
    assert.is(trace?.status, 200)
    assert.is(trace?.responseSize, 'attempt 0 in a context'.length)
    assert.is(trace?.error, undefined)
    assert.is(trace?.isAborted, false)
  })
  test('each retry is an attempt', async () => {
    const policies = [retry({ times: 3, backoff: { first: '1ms' } })]
    const { attempts } = await record(
      service({ policies }).book({ path: { id: 2 }, query: { page: 1 } }),
    )
    assert.equal(
      attempts.map(({ trace }) => [trace.resendCount, trace.status]),
      [
        [0, 503],
        [1, 503],
        [2, 200],
      ],
    )
  })
  test('each hedged request is an attempt', async () => {
    const { attempts } = await record(service({ policies: [hedge('1ms')] }).add())
    assert.ok(attempts.every(({ trace }, index) => trace.resendCount === index))
  })
  test('two calls do not share their numbers of attempts', async () => {
    const { book } = service()
    const { attempts } = await record(async () => {
      await book({ path: { id: 0 }, query: { page: 1 } })()
      await book({ path: { id: 0 }, query: { page: 1 } })()
    })
    assert.equal(
      attempts.map(({ trace }) => trace.resendCount),
      [0, 0],
    )
  })
  test('a network error is published', async () => {
    const baseUrl = await unusedUrl()
    const { add } = client(newApi(), { baseUrl })
    const { attempts } = await record(add())
    const [{ trace, names } = { trace: undefined, names: [] }] = attempts
    assert.equal(names, ['start', 'end', 'error', 'asyncStart', 'asyncEnd'])
    assert.is(trace?.status, undefined)
    assert.instance(trace?.error, Error)
  })
  test('an exceeded time limit is an error', async () => {
    const { add } = service({ timeout: '1ms', fetch: () => new Promise(() => undefined) })
    const { attempts } = await record(add())
    assert.ok(attempts.every(({ trace }) => trace.error !== undefined && !trace.isAborted))
  })
  test('an abort by the caller is no error', async () => {
    const controller = new AbortController()
    const { add } = service({ fetch: () => new Promise(() => undefined) })
    const { attempts } = await record(async () => {
      const result = add(undefined, { signal: controller.signal })()
      controller.abort()
      return result
    })
    assert.ok(attempts.every(({ trace }) => trace.isAborted && trace.error === undefined))
  })
  test('a stream is one attempt until it ends or is cancelled', async () => {
    const server = await serveLocally(newApi())
    try {
      const { attempts } = await record(async () => {
        const result = await client(newApi(), { baseUrl: server.url }).pages()()
        assert.ok(E.isRight(result))
        for await (const chunk of result.right.body) {
          assert.is(chunk, 'one')
          break
        }
      })
      const [{ trace, names } = { trace: undefined, names: [] }] = attempts
      assert.equal(names, complete)
      assert.is(trace?.responseSize, 3)
      assert.is(trace?.isAborted, true)
      assert.is(trace?.error, undefined)
    } finally {
      await server.close()
    }
  })
})
