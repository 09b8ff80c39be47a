/** Streams of values that fail, before their first octet and after it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Context } from '../../src/index.ts'
import {
  byteStream,
  Conflict,
  get,
  handle,
  int,
  jsonStream,
  mapError,
  multiFrom,
  path,
  produces,
  reply,
  routes,
  withMapper,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'
import { elementsOf, numbers } from '../support/elements.ts'
import { recorder } from '../support/recorder.ts'
import { until } from '../support/workers.ts'

const Book = t.type({ isbn: t.string })
const emma = { isbn: 'Emma' }
const log = recorder()
const wrongBook: unknown = { isbn: 1n }

const left: string[] = []

/** Gives one element, and waits until the client has gone. */
async function* waiting({ request: { signal, path: target } }: Context) {
  try {
    yield 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  } finally {
    left.push(target)
  }
}

const operations = routes({
  waiting: pipe(
    path('/waiting'),
    get(),
    produces(jsonStream(int)),
    handle((_, context) => waiting(context)),
  ),
  head: pipe(
    path('/from/refused'),
    get(),
    produces(jsonStream(int)),
    handle(() => multiFrom(Promise.reject<number[]>(new Conflict('not now')), (data) => data)),
  ),
  failing: pipe(
    path('/failing/{after}', { after: int }),
    get(),
    produces(jsonStream(int)),
    handle(
      ({ path: { after } }) =>
        elementsOf<number>([...numbers(after), new RangeError('secret')], 'timer').source,
    ),
  ),
  refused: pipe(
    path('/refused'),
    get(),
    produces(jsonStream(int)),
    handle(() => elementsOf<number>([new Conflict('too early')], 'timer').source),
  ),
  unwritable: pipe(
    path('/unwritable/{after}', { after: int }),
    get(),
    produces(jsonStream(Book)),
    handle(
      ({ path: { after } }) =>
        elementsOf(
          [...Array.from({ length: after }, () => emma), wrongBook as typeof emma],
          'timer',
        ).source,
    ),
  ),
  none: pipe(
    path('/none'),
    get(),
    produces(jsonStream(int)),
    handle(() => 7 as unknown as number[]),
  ),
  locked: pipe(
    path('/locked'),
    get(),
    produces(byteStream),
    handle(() => {
      const stream = new ReadableStream<Uint8Array>()
      stream.getReader()
      return stream
    }),
  ),
})

const tree = pipe(operations, withMapper(mapError(RangeError, () => reply(418, 'mapped'))))

contract(
  'a stream of values',
  tree,
  (test, call) => {
    const answer = (target: string) => ask(call, `GET ${target}`)

    test('whose head fails is an answer like any other', async () =>
      assert.is((await answer('/from/refused')).status, 409))
    test('that fails before its first octet is mapped', async () => {
      const response = await answer('/failing/0')
      assert.equal([response.status, await response.text()], [418, 'mapped'])
      assert.is((await answer('/refused')).status, 409)
    })
    for (const target of ['/unwritable/0', '/none', '/locked'])
      test(`that cannot be begun is answered with 500: ${target}`, async () =>
        assert.is((await answer(target)).status, 500))
    for (const target of ['/failing/1', '/failing/3', '/unwritable/2'])
      test(`that fails later is cut, and told: ${target}`, async () => {
        log.lines.length = 0
        const response = await answer(target)
        assert.is(response.status, 200)
        const error = await response.text().catch((reason: unknown) => reason)
        assert.ok(error instanceof Error)
        assert.is(log.lines.filter((line) => line.level === 'error').length, 1)
      })
    test('whose client leaves is told so by the signal', async () => {
      left.length = 0
      const reader = (await answer('/waiting')).body?.getReader()
      await reader?.read()
      await reader?.cancel()
      await until(() => left.length === 1)
    })
    test('is not asked for by HEAD', async () => {
      const response = await ask(call, 'HEAD /failing/0')
      assert.equal([response.status, await response.text()], [200, ''])
    })
  },
  { logger: log.logger },
)

contract(
  'a stream whose values are checked',
  routes({
    checked: pipe(
      path('/checked/{after}', { after: int }),
      get(),
      produces(jsonStream(int)),
      handle(
        ({ path: { after } }) =>
          elementsOf<number>([...numbers(after), 'no number' as never], 'timer').source,
      ),
    ),
  }),
  (test, call) => {
    test('is refused when the first is of another type', async () =>
      assert.is((await ask(call, 'GET /checked/0')).status, 500))
    test('is cut when a later one is', async () => {
      const response = await ask(call, 'GET /checked/1')
      assert.is(response.status, 200)
      assert.ok((await response.text().catch((reason: unknown) => reason)) instanceof Error)
    })
  },
  { 'fw.rest.check-results': true },
)
