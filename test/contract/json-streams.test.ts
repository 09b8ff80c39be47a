/** Streams of values: what is sent, with which head, and what becomes of those that fail. */
import { Readable } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Source } from '../../src/index.ts'
import {
  as,
  byteStream,
  cache,
  Conflict,
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
} from '../../src/index.ts'
import { ask, answerTo } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { elementsOf, numbers } from '../support/elements.ts'
import { recorder } from '../support/recorder.ts'

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
  generator: () => elementsOf([emma, persuasion], 'sync').source as Generator<typeof emma>,
  asyncGenerator: () => elementsOf([emma, persuasion], 'timer').source,
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
  many: () => multi(elementsOf([emma, persuasion], 'timer').source, { demand: 5 }).entity,
}

const log = recorder()

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
      kind === 'none' ? [] : elementsOf(['foo', 'b€r'], 'timer').source,
    ),
  ),
  octets: pipe(
    path('/octets'),
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
  said: pipe(
    path('/said/{count}', { count: int }),
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
    path('/from/{how}'),
    get(),
    produces(jsonStream(int)),
    responds(222, jsonStream(int)),
    handle(({ path: { how } }) => {
      const response = { data: [1, 2], code: 222 as const, fields: { foo: 'bar' } }
      const received = () =>
        how === 'refused'
          ? Promise.reject<typeof response>(new Conflict('not now'))
          : Promise.resolve(response)
      return how === 'task'
        ? multiFrom(
            received,
            ({ data }) => data,
            ({ fields }) => fields,
            ({ code }) => code,
          )
        : how === 'lines'
          ? multiFrom(received(), ({ data }) => data, undefined, undefined, {
              encodeAsArray: false,
            })
          : multiFrom(
              received(),
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
  withFilter(responseFilter((answer) => withHeader('X-Filter', String(answer.status))(answer))),
  withMapper(mapError(RangeError, () => reply(418, 'mapped'))),
)

contract(
  'a stream of values',
  tree,
  (test, call) => {
    const answer = (target: string, accept = '*/*') =>
      ask(call, `GET ${target}`, { headers: { Accept: accept } })

    for (const kind of Object.keys(sources))
      test(`may be of any source: ${kind}`, async () => {
        const response = await answer(`/source/${kind}`)
        assert.is(response.headers.get('content-type'), 'application/json')
        assert.is(response.headers.get('content-length'), null)
        assert.is(await response.text(), both)
      })
    table(
      test,
      [
        ['one array', 'application/json', 'application/json', both],
        ['a value a line', 'application/x-ndjson', 'application/x-ndjson', lines],
        ['under the older name', 'application/stream+json', 'application/stream+json', lines],
        [
          'what weighs more',
          'application/json;q=0.5, application/x-ndjson',
          'application/x-ndjson',
          lines,
        ],
        ['the first', '*/*', 'application/json', both],
      ] as const,
      async (_, accept, type, content) => {
        const response = await answer('/source/asyncGenerator', accept)
        assert.equal(
          [response.headers.get('content-type'), response.headers.get('vary')],
          [type, 'Accept'],
        )
        assert.is(await response.text(), content)
      },
    )
    test('that is not acceptable is refused', async () =>
      assert.is((await answer('/source/array', 'text/csv')).status, 406))
    test('without a value is an empty array', async () =>
      assert.equal(await answerTo(call, 'GET /source/empty'), [200, []]))
    test('without a value has no line', async () =>
      assert.is(await (await answer('/source/empty', 'application/x-ndjson')).text(), ''))
    test('may be one value a line', async () => {
      const response = await answer('/separate')
      assert.is(response.headers.get('content-type'), 'application/json')
      assert.is(await response.text(), lines)
    })
    test('of text has nothing in between', async () => {
      const response = await answer('/texts/two')
      assert.is(response.headers.get('content-type'), 'text/plain;charset=UTF-8')
      assert.is(await response.text(), 'foob€r')
      assert.equal(await answerTo(call, 'GET /texts/none'), [200, ''])
    })
    test('of octets has nothing in between', async () => {
      const octets = await (await answer('/octets')).arrayBuffer()
      assert.equal(new Uint8Array(octets), new Uint8Array([1, 2, 3]))
    })
    test('has the head that was said, and filters see it, also when it is empty', async () => {
      for (const [count, content] of [
        [2, '[1,2]'],
        [0, '[]'],
      ] as const) {
        const response = await answer(`/said/${count}`)
        const names = ['foo', 'x-many', 'x-static', 'cache-control', 'x-filter']
        assert.equal(
          [response.status, ...names.map((name) => response.headers.get(name))],
          [222, 'bar', 'a, b', 'yes', 'max-age=60', '222'],
        )
        assert.is(await response.text(), content)
      }
    })
    test('may be of any status that is declared', async () => {
      const response = await answer('/declared')
      assert.equal([response.status, response.headers.get('x-more')], [203, '1'])
      assert.is(await response.text(), '[1]')
    })
    for (const how of ['promise', 'task'])
      test(`may have its head from an asynchronous response: a ${how}`, async () => {
        const response = await answer(`/from/${how}`)
        assert.equal([response.status, response.headers.get('foo')], [222, 'bar'])
        assert.is(await response.text(), '[1,2]')
      })
    test('has the usual head where nothing is said of it', async () =>
      assert.equal(await answerTo(call, 'GET /from/lines'), [200, '1\n2\n']))
    test('may be the content of a failure', async () =>
      assert.equal(await answerTo(call, 'GET /failure'), [409, [1, 2]]))
  },
  { logger: log.logger },
)
