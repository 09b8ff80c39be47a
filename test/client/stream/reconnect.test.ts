/** Tests reconnecting to an event stream that has ended or failed. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyDecodedResponse, ClientError, ClientOptions } from '../../../src/client.ts'
import { client } from '../../../src/client.ts'
import type { ReceivedEvent } from '../../../src/index.ts'
import { fails, get, int, path, produces, responds, routes, sse, text } from '../../../src/index.ts'
import { right } from '../../support/clients.ts'
import { describe, table } from '../../support/describe.ts'
import { readAll, readUntilFailure } from '../read-stream.ts'
import { withHttpServer } from '../../support/while-listening.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

const data = async <A>(values: AsyncIterable<ReceivedEvent<A>>): Promise<A[]> =>
  (await readAll(values)).map((event) => event.data)

const contract = routes({
  feed: pipe(path('/feed'), get(), produces(sse(int)), responds(202, text), fails(404, text)),
})

const createClient = (options: ClientOptions) => client(contract, options)
type Library = ReturnType<typeof createClient>

interface SeenRequest {
  readonly lastEventId: string | undefined
  readonly at: number
}

type Turn = (response: ServerResponse, request: IncomingMessage) => void

/** Starts a service that handles each request with the next handler, and repeats the last one. */
const serving = async (
  script: ReadonlyArray<Turn>,
  use: (library: Library, requests: ReadonlyArray<SeenRequest>) => Promise<void>,
  options: Partial<ClientOptions> = {},
): Promise<void> => {
  const requests: SeenRequest[] = []
  const listener: RequestListener = (request, response) => {
    const turn = script[Math.min(requests.length, script.length - 1)]
    const id = request.headers['last-event-id']
    requests.push({
      lastEventId: typeof id === 'string' ? Buffer.from(id, 'latin1').toString() : undefined,
      at: performance.now(),
    })
    turn?.(response, request)
  }
  await withHttpServer(listener, ({ url }) =>
    use(createClient({ baseUrl: url, ...options }), requests),
  )
}

const stream =
  (...chunks: ReadonlyArray<string>): Turn =>
  async (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
    for (const chunk of chunks) {
      response.write(chunk)
      await wait(2)
    }
    response.end()
  }

/** Sends a chunk, then closes the connection abruptly. */
const breaking =
  (chunk: string): Turn =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(chunk, () => setTimeout(() => response.destroy(), 5))
  }

const status =
  (code: number, content = ''): Turn =>
  (response) => {
    response.writeHead(code, { 'Content-Type': 'text/plain' })
    response.end(code === 204 ? undefined : content)
  }

const numbers = (events: ReadonlyArray<ReceivedEvent<number>>): ReadonlyArray<number> =>
  events.map((event) => event.data)

const soon = { reconnect: { delay: '1ms' } }

describe('reconnecting to an event stream', (test) => {
  test('is disabled by default: the stream ends with the response', () =>
    serving([stream('data: 1\n\n')], async (library, requests) => {
      assert.equal(await data((await right(library.feed())).body as never), [1])
      assert.is(requests.length, 1)
    }))
  test('is disabled by default: a lost connection is an error', () =>
    serving([breaking('data: 1\n\n')], async (library) => {
      const response = await right(library.feed())
      assert.ok(response.status === 200)
      const [read, failure] = await readUntilFailure(response.body)
      assert.equal(numbers(read), [1])
      assert.ok('_tag' in failure && failure._tag === 'NetworkError')
    }))
  test('sends Last-Event-ID after an end or a failure, until a 204', () =>
    serving(
      [
        stream('id: a\ndata: 1\n\n', 'data: 2\n\nid: é\n\nid: no'),
        breaking('data: 3\n\n'),
        stream('id\ndata: 4\n\n'),
        stream(''),
        status(204),
      ],
      async (library, requests) => {
        const response = await right(library.feed({}, soon))
        assert.ok(response.status === 200)
        const events = await readAll(response.body)
        assert.equal(numbers(events), [1, 2, 3, 4])
        assert.equal(
          events.map(({ id }) => id),
          ['a', 'a', 'é', ''],
        )
        assert.equal(
          requests.map(({ lastEventId }) => lastEventId),
          [undefined, 'é', 'é', undefined, undefined],
        )
      },
    ))
  test('is configured for all calls of a client', () =>
    serving(
      [stream('data: 1\n\n'), status(204)],
      async (library, requests) => {
        assert.equal(await data((await right(library.feed())).body as never), [1])
        assert.is(requests.length, 2)
      },
      soon,
    ))
  test('waits for the delay that the stream sets with retry', () =>
    serving([stream('retry: 600\ndata: 1\n\n'), status(204)], async (library, requests) => {
      await readAll((await right(library.feed({}, { reconnect: { delay: 60_000 } }))).body as never)
      const [first, second] = requests
      assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 595)
    }))
  for (const id of ['a\x01', '\x7f', '\x1b[0m'])
    test(`an id ${JSON.stringify(id)} does not prevent reconnecting with the id before`, () =>
      serving(
        [stream(`id: a\ndata: 1\n\nid: ${id}\ndata: 2\n\n`), stream('data: 3\n\n'), status(204)],
        async (library, requests) => {
          const events = await readAll((await right(library.feed({}, soon))).body as never)
          assert.equal(numbers(events as never), [1, 2, 3])
          assert.equal(
            requests.map(({ lastEventId }) => lastEventId),
            [undefined, 'a', 'a'],
          )
        },
      ))
  for (const [title, content] of [
    ['without events', 'retry: 0\n\n'],
    ['with an event', 'retry: 0\ndata: 1\n\n'],
  ] as const)
    test(`a service that sets retry to 0 and ends streams ${title} receives few requests`, () =>
      serving([stream(content)], async (library, requests) => {
        const signal = AbortSignal.timeout(1200)
        const response = await right(library.feed({}, { ...soon, signal }))
        assert.ok(response.status === 200)
        const [, failure] = await readUntilFailure(response.body)
        assert.ok('_tag' in failure && failure._tag === 'Aborted')
        assert.ok(requests.length <= 3, `${requests.length} requests`)
      }))
  test('times limits consecutive attempts without an event', () =>
    serving(
      [stream('data: 1\n\n'), breaking(''), stream('data: 2\n\n'), breaking(': nothing\n\n')],
      async (library, requests) => {
        const response = await right(library.feed({}, { reconnect: { delay: 1, times: 2 } }))
        assert.ok(response.status === 200)
        const [read, failure] = await readUntilFailure(response.body)
        assert.equal(numbers(read), [1, 2])
        assert.ok('_tag' in failure && failure._tag === 'NetworkError')
        assert.is(requests.length, 5)
      },
    ))
  test('the stream ends without an error if the last connection ended normally', () =>
    serving([stream('data: 1\n\n'), stream('')], async (library, requests) => {
      const response = await right(library.feed({}, { reconnect: { delay: 1, times: 2 } }))
      assert.equal(await data(response.body as never), [1])
      assert.is(requests.length, 3)
    }))
  table<
    readonly [
      name: string,
      turn: Turn,
      check: (failure: ClientError | AnyDecodedResponse) => boolean,
    ]
  >(
    test,
    [
      [
        'a declared failure',
        status(404, 'gone'),
        (failure) => !('_tag' in failure) && failure.body === 'gone',
      ],
      [
        'an undeclared status',
        status(500),
        (failure) => '_tag' in failure && failure._tag === 'UndeclaredStatus',
      ],
      [
        'another success',
        status(202, 'x'),
        (failure) => '_tag' in failure && failure._tag === 'DecodeError',
      ],
      [
        'another media type',
        status(200, 'x'),
        (failure) => '_tag' in failure && failure._tag === 'DecodeError',
      ],
      [
        'data of another type',
        stream('data: x\n\n'),
        (failure) => '_tag' in failure && failure._tag === 'DecodeError',
      ],
    ],
    (_, turn, check) =>
      serving([stream('data: 1\n\n'), turn], async (library, requests) => {
        const response = await right(library.feed({}, soon))
        assert.ok(response.status === 200)
        const [read, failure] = await readUntilFailure(response.body)
        assert.equal(numbers(read), [1])
        assert.ok(check(failure), JSON.stringify(failure))
        assert.is(requests.length, 2)
      }),
  )
  test('closing the stream during the delay prevents another request', () =>
    serving([stream('data: 1\n\n')], async (library, requests) => {
      const response = await right(library.feed({}, { reconnect: { delay: 60_000 } }))
      assert.ok(response.status === 200)
      const events = response.body[Symbol.asyncIterator]()
      await events.next()
      const waiting = events.next()
      await turns()
      await events.return?.()
      assert.equal(await waiting, { done: true, value: undefined })
      assert.is(requests.length, 1)
    }))
  test('closing the stream while its connection is open ends the iteration without the delay', () =>
    serving(
      [
        (response) =>
          response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': \n'),
      ],
      async (library, requests) => {
        const response = await right(library.feed({}, { reconnect: { delay: 60_000 } }))
        assert.ok(response.status === 200)
        const events = response.body[Symbol.asyncIterator]()
        const waiting = events.next()
        await events.return?.()
        assert.equal(await waiting, { done: true, value: undefined })
        assert.is(requests.length, 1)
      },
    ))
  test('closing the stream while a request is pending ends the iteration', () =>
    serving([stream('data: 1\n\n'), () => undefined], async (library, requests) => {
      const response = await right(library.feed({}, soon))
      assert.ok(response.status === 200)
      const events = response.body[Symbol.asyncIterator]()
      await events.next()
      const waiting = events.next()
      await waitUntil(() => requests.length >= 2)
      await events.return?.()
      assert.equal(await waiting, { done: true, value: undefined })
    }))
  for (const [when, turn] of [
    ['the delay', undefined],
    ['a request', () => undefined],
  ] as const)
    test(`an abort during ${when} ends the iteration`, () =>
      serving([stream('data: 1\n\n'), turn ?? status(500)], async (library) => {
        const controller = new AbortController()
        const response = await right(
          library.feed(
            {},
            {
              signal: controller.signal,
              reconnect: { delay: turn === undefined ? 60_000 : 1 },
            },
          ),
        )
        assert.ok(response.status === 200)
        const { body } = response
        const abortAfterFirst = async function* () {
          for await (const element of body) {
            yield element
            setTimeout(() => controller.abort(), 40)
          }
        }
        const [read, failure] = await readUntilFailure(abortAfterFirst())
        assert.equal(numbers(read), [1])
        assert.ok('_tag' in failure && failure._tag === 'Aborted')
      }))
  test('the size of an event is limited', () =>
    serving(
      [stream('data: 1\n\n', `data: ${'x'.repeat(600)}`, 'x'.repeat(600))],
      async (library) => {
        const response = await right(library.feed({}, soon))
        assert.ok(response.status === 200)
        const [read, failure] = await readUntilFailure(response.body)
        assert.equal(numbers(read), [1])
        assert.ok('_tag' in failure && failure._tag === 'ResponseTooLarge')
      },
      { maxBodySize: 1000 },
    ))
})
