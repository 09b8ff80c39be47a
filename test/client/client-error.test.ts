/** Errors of calls: each tag, over each transport. */
import * as t from 'io-ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { ClientError } from '../../src/client.ts'
import { clientFilter, clientResponse, concurrencyLimit, isClientError } from '../../src/client.ts'
import {
  fails,
  get,
  handle,
  json,
  ok,
  path,
  produces,
  reply,
  routes,
  text,
} from '../../src/index.ts'
import { called, errorIn, left } from '../support/clients.ts'

const Book = t.type({ title: t.string })

const api = routes({
  find: pipe(
    path('/books/{isbn}'),
    get(),
    produces(json(Book)),
    fails(404, text),
    handle(async ({ path: { isbn } }, { request: { signal } }) => {
      if (isbn === 'never')
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      if (isbn === 'none') return reply(404, 'none')
      if (isbn === 'broken') throw new Error('broken')
      return ok({ title: isbn })
    }),
  ),
})

const never = { path: { isbn: 'never' } }

/** A service that answers in another way than its contract says. */
const other = clientFilter((request, next) =>
  pipe(
    next(request),
    TE.map(() =>
      clientResponse(request, {
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        content: '{"title":[1]}',
      }),
    ),
  ),
)

called('what goes wrong', api, (test, calling) => {
  const rows: ReadonlyArray<
    readonly [tag: ClientError['_tag'], error: () => Promise<ClientError>, rest: object]
  > = [
    [
      'EncodeError',
      () => errorIn(calling().find({ path: { isbn: '..' } })),
      { faults: [{ in: 'path', name: 'isbn', detail: 'must not result in a dot segment' }] },
    ],
    [
      'NetworkError',
      () => errorIn(calling({ fetch: () => Promise.reject(new TypeError('no')) }).find(never)),
      {},
    ],
    ['TimedOut', () => errorIn(calling({ timeout: '20ms' }).find(never)), {}],
    ['Aborted', () => errorIn(calling().find(never, { signal: AbortSignal.timeout(20) })), {}],
    [
      'Defect',
      () =>
        errorIn(
          calling({
            policies: [
              clientFilter(() => {
                throw new Error('mine')
              }),
            ],
          }).find(never),
        ),
      {},
    ],
    [
      'UndeclaredStatus',
      () => errorIn(calling().find({ path: { isbn: 'broken' } })),
      { status: 500 },
    ],
    [
      'DecodeError',
      () => errorIn(calling({ policies: [other] }).find({ path: { isbn: '1' } })),
      { status: 200, faults: [{ in: 'body', pointer: '#/title', detail: 'must be a string' }] },
    ],
    [
      'ContentTooLarge',
      () => errorIn(calling({ maxContentLength: 4 }).find({ path: { isbn: '1' } })),
      { status: 200, limit: 4 },
    ],
    [
      'Refused',
      async () => {
        const signal = new AbortController()
        const library = calling({ policies: [concurrencyLimit(1, { queue: 0 })] })
        const first = library.find(never, { signal: signal.signal })()
        const error = await errorIn(library.find(never))
        signal.abort()
        await first
        return error
      },
      { policy: 'concurrency-limit' },
    ],
  ]
  for (const [tag, failed, rest] of rows)
    test(`${tag} has its tag, operation and message`, async () => {
      const error = await failed()
      assert.is(error._tag, tag)
      assert.is(error.operation, 'find')
      assert.ok(error.message.startsWith('find: '), error.message)
      assert.ok(isClientError(error))
      for (const [key, value] of Object.entries(rest)) assert.equal(Reflect.get(error, key), value)
    })
  test('a declared failure is not a ClientError', async () => {
    const failure = await left(calling().find({ path: { isbn: 'none' } }))
    assert.not.ok(isClientError(failure))
    assert.equal('body' in failure && [failure.status, failure.body], [404, 'none'])
  })
})
