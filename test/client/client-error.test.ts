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
import { clientContract, errorIn, left } from '../support/clients.ts'

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

const neverRequest = { path: { isbn: 'never' } }

/** Replaces each response by one with an invalid body. */
const respondInvalid = clientFilter((request, next) =>
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

clientContract('errors of calls', api, (test, createClient) => {
  const rows: ReadonlyArray<
    readonly [tag: ClientError['_tag'], error: () => Promise<ClientError>, members: object]
  > = [
    [
      'EncodeError',
      () => errorIn(createClient().find({ path: { isbn: '..' } })),
      { errors: [{ in: 'path', name: 'isbn', detail: 'must not result in a dot segment' }] },
    ],
    [
      'NetworkError',
      () =>
        errorIn(
          createClient({ fetch: () => Promise.reject(new TypeError('no connection')) }).find(
            neverRequest,
          ),
        ),
      {},
    ],
    ['TimedOut', () => errorIn(createClient({ timeout: '20ms' }).find(neverRequest)), {}],
    [
      'Aborted',
      () => errorIn(createClient().find(neverRequest, { signal: AbortSignal.timeout(20) })),
      {},
    ],
    [
      'Defect',
      () =>
        errorIn(
          createClient({
            policies: [
              clientFilter(() => {
                throw new Error('broken')
              }),
            ],
          }).find(neverRequest),
        ),
      {},
    ],
    [
      'UndeclaredStatus',
      () => errorIn(createClient().find({ path: { isbn: 'broken' } })),
      { status: 500 },
    ],
    [
      'DecodeError',
      () => errorIn(createClient({ policies: [respondInvalid] }).find({ path: { isbn: '1' } })),
      { status: 200, errors: [{ in: 'body', pointer: '#/title', detail: 'must be a string' }] },
    ],
    [
      'ResponseTooLarge',
      () => errorIn(createClient({ maxBodySize: 4 }).find({ path: { isbn: '1' } })),
      { status: 200, limit: 4 },
    ],
    [
      'Rejected',
      async () => {
        const controller = new AbortController()
        const library = createClient({ policies: [concurrencyLimit(1, { queue: 0 })] })
        const first = library.find(neverRequest, { signal: controller.signal })()
        const error = await errorIn(library.find(neverRequest))
        controller.abort()
        await first
        return error
      },
      { policy: 'concurrency-limit' },
    ],
  ]
  for (const [tag, fail, members] of rows)
    test(`${tag} has a tag, an operation and a message`, async () => {
      const error = await fail()
      assert.is(error._tag, tag)
      assert.is(error.operation, 'find')
      assert.ok(error.message.startsWith('find: '), error.message)
      assert.ok(isClientError(error))
      for (const [key, value] of Object.entries(members))
        assert.equal(Reflect.get(error, key), value)
    })
  test('a declared failure is not a ClientError', async () => {
    const failure = await left(createClient().find({ path: { isbn: 'none' } }))
    assert.not.ok(isClientError(failure))
    assert.equal('body' in failure && [failure.status, failure.body], [404, 'none'])
  })
})
