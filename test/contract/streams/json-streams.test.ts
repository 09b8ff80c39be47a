/** `jsonStream`, `ndjson`, `textStream` and `byteStream`: sources, framing, status and headers of streamed responses. */
import { Readable } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Source } from '../../../src/index.ts'
import {
  as,
  byteStream,
  cache,
  fails,
  get,
  handle,
  int,
  jsonStream,
  mapError,
  multi,
  multiFrom,
  ndjson,
  path,
  produces,
  reply,
  responds,
  responseFilter,
  responseHeader,
  routes,
  status,
  text,
  textStream,
  withFilter,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { sendRequest, responseTo } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { observedSource, numbers } from '../../support/observed-source.ts'
import { createRecorder } from '../../support/recorder.ts'
import { waitUntil } from '../../support/wait-until.ts'

const Book = t.type({ isbn: t.string })
const emma = { isbn: 'Emma', secret: 1 }
const persuasion = { isbn: 'Persuasion' }
const both = '[{"isbn":"Emma"},{"isbn":"Persuasion"}]'
const lines = '{"isbn":"Emma"}\n{"isbn":"Persuasion"}\n'

const observable = <A>(...values: ReadonlyArray<A>) => ({
  subscribe: (observer: {
    readonly next: (value: A) => void
    readonly error: (error: unknown) => void
    readonly complete: () => void
  }) => {
    const timer = setTimeout(() => {
      for (const value of values) observer.next(value)
      observer.complete()
    }, 1)
    return { unsubscribe: () => clearTimeout(timer) }
  },
})

const sources: Readonly<Record<string, () => Source<t.TypeOf<typeof Book>>>> = {
  array: () => [emma, persuasion],
  set: () => new Set([emma, persuasion]),
  generator: () => observedSource([emma, persuasion], 'sync').source as Generator<typeof emma>,
  asyncGenerator: () => observedSource([emma, persuasion], 'timer').source,
  readable: () => Readable.from([emma, persuasion]),
  readableStream: () =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(emma)
        controller.enqueue(persuasion)
        controller.close()
      },
    }),
  observable: () => observable(emma, persuasion),
  multi: () => multi([emma, persuasion]).entity,
  many: () => multi(observedSource([emma, persuasion], 'timer').source, { demand: 5 }).entity,
}

const log = createRecorder()

/** Resolvers of sources that wait for the test to read their first element. */
const waiting: Array<() => void> = []

/** Yields one book, and the other once the test has read the first. */
async function* gradualBooks() {
  yield emma
  await new Promise<void>((resolve) => waiting.push(resolve))
  yield persuasion
}

const operations = routes({
  source: pipe(
    path('/source/{kind}'),
    get(),
    produces(jsonStream(Book), ndjson(Book), as('application/stream+json')(ndjson(Book))),
    handle(({ path: { kind } }) => sources[kind]?.() ?? []),
  ),
  texts: pipe(
    path('/texts/{kind}'),
    get(),
    produces(textStream),
    handle(({ path: { kind } }) =>
      kind === 'empty' ? [] : observedSource(['foo', 'b€r'], 'timer').source,
    ),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(byteStream),
    handle(() => [new Uint8Array([1]), Buffer.from([2, 3])]),
  ),
  separate: pipe(
    path('/separate'),
    get(),
    produces(jsonStream(Book)),
    handle(() => multi([emma, persuasion], { encodeAsArray: false })),
  ),
  gradual: pipe(
    path('/gradual/{form}'),
    get(),
    produces(jsonStream(Book)),
    handle(({ path: { form } }) => multi(gradualBooks(), { encodeAsArray: form === 'array' })),
  ),
  explicit: pipe(
    path('/explicit/{count}', { count: int }),
    get(),
    status(222),
    produces(jsonStream(int)),
    cache({ maxAge: 60 }),
    responseHeader('X-Static', 'yes'),
    handle(({ path: { count } }) =>
      multi(numbers(count), { status: 222, headers: { foo: 'bar', 'X-Many': ['a', 'b'] } }),
    ),
  ),
  declared: pipe(
    path('/declared'),
    get(),
    produces(text),
    responds(203, jsonStream(int)),
    handle(() => pipe(multi([1], { status: 203 }), withHeader('X-More', '1'))),
  ),
  from: pipe(
    path('/from/{form}'),
    get(),
    produces(jsonStream(int)),
    responds(222, jsonStream(int)),
    handle(({ path: { form } }) => {
      const response = { data: [1, 2], code: 222 as const, fields: { foo: 'bar' } }
      const upstream = () => Promise.resolve(response)
      return form === 'task'
        ? multiFrom(
            upstream,
            ({ data }) => data,
            ({ fields }) => fields,
            ({ code }) => code,
          )
        : form === 'lines'
          ? multiFrom(upstream(), ({ data }) => data, undefined, undefined, {
              encodeAsArray: false,
            })
          : multiFrom(
              upstream(),
              ({ data }) => data,
              ({ fields }) => fields,
              ({ code }) => code,
            )
    }),
  ),
  failure: pipe(
    path('/failure'),
    get(),
    produces(text),
    fails(409, jsonStream(int)),
    handle(() => reply(409, [1, 2])),
  ),
})

const tree = pipe(
  operations,
  withFilter(
    responseFilter((response) => withHeader('X-Filter', String(response.status))(response)),
  ),
  withMapper(mapError(RangeError, () => reply(418, 'mapped'))),
)

contract(
  'streamed responses',
  tree,
  (test, call) => {
    const send = (target: string, accept = '*/*') =>
      sendRequest(call, `GET ${target}`, { headers: { Accept: accept } })

    for (const kind of Object.keys(sources))
      test(`jsonStream accepts a source: ${kind}`, async () => {
        const response = await send(`/source/${kind}`)
        assert.is(response.headers.get('content-type'), 'application/json')
        assert.is(response.headers.get('content-length'), null)
        assert.is(await response.text(), both)
      })
    table(
      test,
      [
        ['application/json is one array', 'application/json', 'application/json', both],
        [
          'application/x-ndjson is one value per line',
          'application/x-ndjson',
          'application/x-ndjson',
          lines,
        ],
        [
          'application/stream+json is one value per line',
          'application/stream+json',
          'application/stream+json',
          lines,
        ],
        [
          'the media type with the greater weight',
          'application/json;q=0.5, application/x-ndjson',
          'application/x-ndjson',
          lines,
        ],
        ['the first representation for */*', '*/*', 'application/json', both],
      ] as const,
      async (_, accept, type, responseBody) => {
        const response = await send('/source/asyncGenerator', accept)
        assert.equal(
          [response.headers.get('content-type'), response.headers.get('vary')],
          [type, 'Accept'],
        )
        assert.is(await response.text(), responseBody)
      },
    )
    test('an unacceptable media type returns 406', async () =>
      assert.is((await send('/source/array', 'text/csv')).status, 406))
    test('an empty jsonStream is an empty array', async () =>
      assert.equal(await responseTo(call, 'GET /source/empty'), [200, []]))
    test('an empty ndjson stream has no lines', async () =>
      assert.is(await (await send('/source/empty', 'application/x-ndjson')).text(), ''))
    test('encodeAsArray false sends one value per line', async () => {
      const response = await send('/separate')
      assert.is(response.headers.get('content-type'), 'application/json')
      assert.is(await response.text(), lines)
    })
    for (const [form, first, rest] of [
      ['array', '[{"isbn":"Emma"}', ',{"isbn":"Persuasion"}]'],
      ['lines', '{"isbn":"Emma"}\n', '{"isbn":"Persuasion"}\n'],
    ] as const)
      test(`a JSON element is received before the next one is available: ${form}`, async () => {
        const response = await send(`/gradual/${form}`)
        const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
        assert.is((await reader?.read())?.value, first)
        await waitUntil(() => waiting.length > 0)
        waiting.splice(0).forEach((resume) => resume())
        let received = ''
        for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read())
          received += chunk.value
        assert.is(received, rest)
      })
    test('textStream concatenates strings', async () => {
      const response = await send('/texts/two')
      assert.is(response.headers.get('content-type'), 'text/plain;charset=UTF-8')
      assert.is(await response.text(), 'foob€r')
      assert.equal(await responseTo(call, 'GET /texts/empty'), [200, ''])
    })
    test('byteStream concatenates chunks', async () => {
      const received = await (await send('/bytes')).arrayBuffer()
      assert.equal(new Uint8Array(received), new Uint8Array([1, 2, 3]))
    })
    test('multi sets status and headers, which response filters read', async () => {
      for (const [count, responseBody] of [
        [2, '[1,2]'],
        [0, '[]'],
      ] as const) {
        const response = await send(`/explicit/${count}`)
        const names = ['foo', 'x-many', 'x-static', 'cache-control', 'x-filter']
        assert.equal(
          [response.status, ...names.map((name) => response.headers.get(name))],
          [222, 'bar', 'a, b', 'yes', 'max-age=60', '222'],
        )
        assert.is(await response.text(), responseBody)
      }
    })
    test('multi with a declared status', async () => {
      const response = await send('/declared')
      assert.equal([response.status, response.headers.get('x-more')], [203, '1'])
      assert.is(await response.text(), '[1]')
    })
    for (const form of ['promise', 'task'])
      test(`multiFrom sets status and headers from a ${form}`, async () => {
        const response = await send(`/from/${form}`)
        assert.equal([response.status, response.headers.get('foo')], [222, 'bar'])
        assert.is(await response.text(), '[1,2]')
      })
    test('multiFrom without status and headers returns 200', async () =>
      assert.equal(await responseTo(call, 'GET /from/lines'), [200, '1\n2\n']))
    test('a declared failure may have a stream as its body', async () =>
      assert.equal(await responseTo(call, 'GET /failure'), [409, [1, 2]]))
  },
  { logger: log.logger },
)
