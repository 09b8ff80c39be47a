/** Handlers for runtimes with the Fetch standard: clients that disconnect, and bodies as streams. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { toFetchHandler } from '../../src/fetch.ts'
import {
  body,
  byteStream,
  get,
  handle,
  json,
  noContent,
  path,
  post,
  produces,
  responds,
  routes,
  sse,
  string,
  text,
} from '../../src/index.ts'
import { describe } from '../support/describe.ts'
import { numbers, observedSource } from '../support/observed-source.ts'
import { createRecorder } from '../support/recorder.ts'
import { waitUntil } from '../support/wait-until.ts'

const request = (target: string, init: RequestInit = {}): Request =>
  new Request(`http://service.test${target}`, init)

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** A body that never ends and fails with an error after its first chunk. */
const failingBody = (error: Error): RequestInit & { readonly duplex: 'half' } => {
  let pulls = 0
  const stream = new ReadableStream({
    pull: (controller) => {
      if (pulls++ === 0) controller.enqueue(new TextEncoder().encode('[1,'))
      else controller.error(error)
    },
  })
  return { method: 'POST', body: stream, duplex: 'half' }
}

describe('toFetchHandler: disconnects', (test) => {
  test('an abort before the response aborts the signal of the handler, and nothing is logged', async () => {
    const { logger, lines } = createRecorder()
    const controller = new AbortController()
    const ends: unknown[] = []
    const slow = pipe(
      path('/slow'),
      get(),
      produces(text),
      handle(
        (_, { request: { signal }, onEnd }) =>
          new Promise<string>((_resolve, reject) => {
            onEnd(({ status }) => ends.push(status))
            signal.addEventListener('abort', () => reject(signal.reason))
            controller.abort()
          }),
      ),
    )
    const handler = toFetchHandler(routes({ slow }), { logger })
    const response = await handler(request('/slow', { signal: controller.signal }))
    assert.is(response.status, 499)
    await waitUntil(() => ends.length > 0)
    assert.equal(ends, [undefined])
    assert.equal(
      lines.filter(({ level }) => level !== 'debug'),
      [],
    )
  })
  test('a request that has already been aborted aborts the signal of the handler', async () => {
    const aborts: boolean[] = []
    const wait = pipe(
      path('/'),
      get(),
      produces(text),
      handle(async (_, { request: { signal } }) => {
        aborts.push(signal.aborted)
        return 'a'
      }),
    )
    const aborted = request('/', { signal: AbortSignal.abort() })
    const response = await toFetchHandler(routes({ wait }))(aborted)
    assert.equal([response.status, aborts], [499, [true]])
  })
  test('the signal of a request is not read for a synchronous response', async () => {
    const sync = pipe(
      path('/'),
      get(),
      produces(text),
      handle(() => 'a'),
    )
    const unread = Object.defineProperty(request('/'), 'signal', {
      get: () => assert.unreachable(),
    })
    assert.is((await toFetchHandler(routes({ sync }))(unread)).status, 200)
  })
  for (const [title, endpointBody] of [
    ['buffered', json(t.unknown)],
    ['streamed', byteStream],
  ] as const)
    test(`a ${title} body that cannot be read ends the request, and nothing is logged`, async () => {
      const { logger, lines } = createRecorder()
      const ends: unknown[] = []
      const read = pipe(
        path('/read'),
        post(),
        body(endpointBody),
        responds(204),
        handle(async ({ body: received }, { onEnd }) => {
          onEnd(({ status }) => ends.push(status))
          if (isIterable(received)) for await (const _ of received);
          return noContent
        }),
      )
      const handler = toFetchHandler(routes({ read }), { logger })
      const failing = request('/read', {
        ...failingBody(new Error('connection lost')),
        headers: {
          'Content-Type': title === 'buffered' ? 'application/json' : 'application/octet-stream',
        },
      })
      assert.is((await handler(failing)).status, 499)
      assert.equal(
        lines.filter(({ level }) => level !== 'debug'),
        [],
      )
    })
  test('rejects with a TypeError if the body has been read before', async () => {
    const read = pipe(
      path('/read'),
      post(),
      body(text),
      produces(text),
      handle((input) => input.body),
    )
    const used = request('/read', { method: 'POST', body: 'a' })
    await used.text()
    const result = await toFetchHandler(routes({ read }))(used).catch((error: unknown) => error)
    assert.instance(result, TypeError)
  })
})

/** Creates a handler that responds with a stream of 50 large elements. */
const createStream = () => {
  const { logger, lines } = createRecorder()
  const signals: AbortSignal[] = []
  const source = observedSource(
    Array.from(numbers(50), (n) => `${n}`.padEnd(40_000, '.')),
    'async',
  )
  const stream = pipe(
    path('/stream'),
    get(),
    produces(sse(string)),
    handle((_, context) => {
      signals.push(context.request.signal)
      return source.source
    }),
  )
  return { handler: toFetchHandler(routes({ stream }), { logger }), source, signals, lines }
}

describe('toFetchHandler: response streams', (test) => {
  test('elements are requested only as far as the body is read', async () => {
    const { handler, source } = createStream()
    const response = await handler(request('/stream'))
    const reader = response.body?.getReader()
    await reader?.read()
    const before = source.pulled
    assert.ok(before < 10, String(before))
    for (let times = 0; times < 5; times++) await reader?.read()
    assert.ok(source.pulled > before)
    assert.ok(source.pulled < 20, String(source.pulled))
    await reader?.cancel()
  })
  test('cancelling the body closes the source once and aborts the signal', async () => {
    const { handler, source, signals, lines } = createStream()
    const response = await handler(request('/stream'))
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await waitUntil(() => source.ended > 0)
    assert.equal([source.ended, signals[0]?.aborted], [1, true])
    assert.equal(
      lines.filter(({ level }) => level !== 'debug'),
      [],
    )
  })
  test('aborting the request closes the source once and fails the body', async () => {
    const { handler, source, signals } = createStream()
    const controller = new AbortController()
    const response = await handler(request('/stream', { signal: controller.signal }))
    const reader = response.body?.getReader()
    await reader?.read()
    controller.abort(new Error('gone'))
    const failure = await reader?.read().catch((error: unknown) => error)
    assert.match(String(failure), /gone/)
    await waitUntil(() => source.ended > 0)
    assert.equal([source.ended, signals[0]?.aborted], [1, true])
  })
})
