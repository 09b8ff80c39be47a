import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  created,
  fails,
  get,
  handle,
  int,
  json,
  NotFound,
  ok,
  path,
  produces,
  reply,
  responds,
} from '../../src/index.ts'
import { settle, testContext } from '../../src/testing.ts'
import { describe } from '../support/describe.ts'

const Book = t.type({ title: t.string })
const find = pipe(
  path('/books/{id}', { id: int }),
  get(),
  produces(json(Book)),
  responds(201, json(Book)),
  responds(303),
  fails(404, json(t.type({ missing: t.number }))),
)
const emma = { title: 'Emma' }
const notFound = reply(404, { missing: 1 })
const gone = new NotFound('gone')
const run = (handled: ReturnType<ReturnType<typeof handle<(typeof find)['_S']>>>) =>
  settle(handled.run({ path: { id: 1 } }, testContext()))
type Handled = Parameters<typeof run>[0]

const successes: ReadonlyArray<readonly [name: string, handled: Handled]> = [
  [
    'a value',
    pipe(
      find,
      handle(() => emma),
    ),
  ],
  [
    'a promise',
    pipe(
      find,
      handle(async () => emma),
    ),
  ],
  [
    'a Task',
    pipe(
      find,
      handle(() => async () => emma),
    ),
  ],
  [
    'a reply',
    pipe(
      find,
      handle(() => ok(emma)),
    ),
  ],
  [
    'a reply with another status',
    pipe(
      find,
      handle(() => created('/books/1', emma)),
    ),
  ],
  [
    'a promise of a reply',
    pipe(
      find,
      handle(async () => ok(emma)),
    ),
  ],
  [
    'a Right',
    pipe(
      find,
      handle(() => E.right(emma)),
    ),
  ],
  [
    'a Right of a reply',
    pipe(
      find,
      handle(() => E.right(ok(emma))),
    ),
  ],
  [
    'a promise of a Right',
    pipe(
      find,
      handle(async () => E.right(emma)),
    ),
  ],
  [
    'a TaskEither',
    pipe(
      find,
      handle(() => TE.right(emma)),
    ),
  ],
]
const failures: ReadonlyArray<readonly [name: string, handled: Handled, failure: unknown]> = [
  [
    'a reply with 404',
    pipe(
      find,
      handle(() => notFound),
    ),
    notFound,
  ],
  [
    'a promise of a reply with 404',
    pipe(
      find,
      handle(async () => notFound),
    ),
    notFound,
  ],
  [
    'a Left',
    pipe(
      find,
      handle(() => E.left({ missing: 1 })),
    ),
    { missing: 1 },
  ],
  [
    'a promise of a Left',
    pipe(
      find,
      handle(async () => E.left({ missing: 1 })),
    ),
    { missing: 1 },
  ],
  [
    'a TaskEither',
    pipe(
      find,
      handle(() => TE.left({ missing: 1 })),
    ),
    { missing: 1 },
  ],
  [
    'a Left of a reply',
    pipe(
      find,
      handle(() => E.left(notFound)),
    ),
    notFound,
  ],
  [
    'a Left of an HttpError',
    pipe(
      find,
      handle(() => E.left(gone)),
    ),
    gone,
  ],
  [
    'a Right of a reply with 404',
    pipe(
      find,
      handle(() => E.right(notFound)),
    ),
    notFound,
  ],
  [
    'an HttpError',
    pipe(
      find,
      handle(() => gone),
    ),
    gone,
  ],
  [
    'a promise of an HttpError',
    pipe(
      find,
      handle(async () => gone),
    ),
    gone,
  ],
  [
    'a rejected promise',
    pipe(
      find,
      handle(async () => {
        throw gone
      }),
    ),
    gone,
  ],
]

describe('settle', (test) => {
  for (const [name, handled] of successes)
    test(`resolves to the value of ${name}`, async () => assert.equal(await run(handled), emma))

  for (const [name, handled, failure] of failures)
    test(`rejects with the failure of ${name}`, async () => {
      const rejected = await run(handled).then(
        () => 'resolved',
        (error: unknown) => error,
      )
      assert.equal(rejected, failure)
    })

  test('resolves to undefined for a reply without a body', async () => {
    assert.is(await settle(reply(303)), undefined)
    assert.is(await settle(undefined), undefined)
  })
})
