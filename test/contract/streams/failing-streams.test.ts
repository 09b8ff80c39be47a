/** Streamed responses whose source fails, before the first byte or after it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/index.ts'
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'
import { observedSource, numbers } from '../../support/observed-source.ts'
import { createRecorder } from '../../support/recorder.ts'
import { waitUntil } from '../../support/wait-until.ts'

const Book = t.type({ isbn: t.string })
const emma = { isbn: 'Emma' }
const log = createRecorder()
const unserializableBook: unknown = { isbn: 1n }

const closed: string[] = []

/** Yields one element, then waits until the request is aborted. */
async function* waiting({ request: { signal, path: target } }: Context) {
  try {
    yield 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  } finally {
    closed.push(target)
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
    path('/from/rejected'),
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
        observedSource<number>([...numbers(after), new RangeError('secret')], 'timer').source,
    ),
  ),
  conflict: pipe(
    path('/conflict'),
    get(),
    produces(jsonStream(int)),
    handle(() => observedSource<number>([new Conflict('too early')], 'timer').source),
  ),
  unwritable: pipe(
    path('/unwritable/{after}', { after: int }),
    get(),
    produces(jsonStream(Book)),
    handle(
      ({ path: { after } }) =>
        observedSource(
          [...Array.from({ length: after }, () => emma), unserializableBook as typeof emma],
          'timer',
        ).source,
    ),
  ),
  notIterable: pipe(
    path('/not-iterable'),
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
  'failing streams',
  tree,
  (test, call) => {
    const send = (target: string) => sendRequest(call, `GET ${target}`)

    test('a rejected promise of multiFrom returns an error response', async () =>
      assert.is((await send('/from/rejected')).status, 409))
    test('a failure before the first byte is mapped', async () => {
      const response = await send('/failing/0')
      assert.equal([response.status, await response.text()], [418, 'mapped'])
      assert.is((await send('/conflict')).status, 409)
    })
    for (const target of ['/unwritable/0', '/not-iterable', '/locked'])
      test(`a source that cannot be read or encoded returns 500: ${target}`, async () =>
        assert.is((await send(target)).status, 500))
    for (const target of ['/failing/1', '/failing/3', '/unwritable/2'])
      test(`a later failure aborts the response and is logged: ${target}`, async () => {
        log.lines.length = 0
        const response = await send(target)
        assert.is(response.status, 200)
        const error = await response.text().catch((reason: unknown) => reason)
        assert.ok(error instanceof Error)
        assert.is(log.lines.filter((line) => line.level === 'error').length, 1)
      })
    test('a disconnect aborts request.signal', async () => {
      closed.length = 0
      const reader = (await send('/waiting')).body?.getReader()
      await reader?.read()
      await reader?.cancel()
      await waitUntil(() => closed.length === 1)
    })
    test('HEAD does not read the source', async () => {
      const response = await sendRequest(call, 'HEAD /failing/0')
      assert.equal([response.status, await response.text()], [200, ''])
    })
  },
  { logger: log.logger },
)

contract(
  'streams with fw.rest.check-results',
  routes({
    checked: pipe(
      path('/checked/{after}', { after: int }),
      get(),
      produces(jsonStream(int)),
      handle(
        ({ path: { after } }) =>
          observedSource<number>([...numbers(after), 'not a number' as never], 'timer').source,
      ),
    ),
  }),
  (test, call) => {
    test('an invalid first element returns 500', async () =>
      assert.is((await sendRequest(call, 'GET /checked/0')).status, 500))
    test('an invalid later element aborts the response', async () => {
      const response = await sendRequest(call, 'GET /checked/1')
      assert.is(response.status, 200)
      assert.ok((await response.text().catch((reason: unknown) => reason)) instanceof Error)
    })
  },
  { 'fw.rest.check-results': true },
)
