/** Types of the results of handlers in unit tests: `settle` returns the success value. */
import { expectTypeOf } from 'expect-type'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import {
  body,
  created,
  fails,
  get,
  handle,
  HttpError,
  implementAll,
  int,
  json,
  list,
  notFound,
  optional,
  path,
  post,
  produces,
  reply,
  responds,
  routes,
  text,
} from '../../src/index.ts'
import { endpointsOf, settle, testContext } from '../../src/testing.ts'

const Book = t.type({ id: t.number, title: t.string })
interface ABook extends t.TypeOf<typeof Book> {}
const Missing = t.type({ _tag: t.literal('Missing'), id: t.number })
const find = pipe(
  path('/books/{id}', { id: int }),
  get(),
  produces(json(Book)),
  fails(404, json(Missing)),
  fails(410),
)
const input = { path: { id: 1 } }

// the type does not depend on how the handler is written

const handled = [
  pipe(
    find,
    handle(({ path: { id } }) => ({ id, title: '' })),
  ),
  pipe(
    find,
    handle(async ({ path: { id } }) => ({ id, title: '' })),
  ),
  pipe(
    find,
    handle(({ path: { id } }) => E.right({ id, title: '' })),
  ),
  pipe(
    find,
    handle(({ path: { id } }) => TE.left({ _tag: 'Missing', id })),
  ),
  pipe(
    find,
    handle(({ path: { id } }) => reply(404, { _tag: 'Missing', id })),
  ),
  pipe(
    find,
    handle(() => new HttpError(404)),
  ),
  pipe(
    find,
    handle(() => reply(410)),
  ),
]
for (const endpoint of handled) {
  const book = await settle(endpoint.run(input, testContext()))
  expectTypeOf(book).toEqualTypeOf<{ id: number; title: string }>()
  expectTypeOf((await settle(endpoint.run(input, testContext()))).title).toEqualTypeOf<string>()
}

// other results

const add = pipe(
  path('/books'),
  post(),
  body(json(Book)),
  responds(201, json(Book)),
  handle(({ body: sent }) => created('/books/1', sent)),
)
const added = await settle(add.run({ body: { id: 1, title: '' } }, testContext()))
expectTypeOf(added).toEqualTypeOf<{ id: number; title: string }>()
const all = pipe(
  path('/books'),
  get(),
  produces(json(list(Book))),
  handle(() => []),
)
expectTypeOf(await settle(all.run({}, testContext()))).toEqualTypeOf<
  ReadonlyArray<{ id: number; title: string }>
>()
const title = pipe(
  path('/title'),
  get(),
  produces(text),
  fails(404),
  handle(() => notFound()),
)
expectTypeOf(await settle(title.run({}, testContext()))).toEqualTypeOf<string>()
const count = pipe(
  path('/count'),
  get(),
  produces(json(optional(int))),
  handle(() => 1),
)
expectTypeOf(await settle(count.run({}, testContext()))).toEqualTypeOf<number | undefined>()
const nothing = pipe(
  path('/nothing'),
  post(),
  fails(404),
  handle(() => {}),
)
expectTypeOf(await settle(nothing.run({}, testContext()))).toEqualTypeOf<void>()
const two = pipe(
  path('/two'),
  post(),
  produces(text),
  responds(201, json(Book)),
  handle(() => 'one'),
)
expectTypeOf(await settle(two.run({}, testContext()))).toEqualTypeOf<
  string | { id: number; title: string }
>()

// handlers of a contract, and handlers without an endpoint

const api = implementAll(routes({ find }), {
  find: async ({ path: { id } }) => ({ id, title: '' }),
})
expectTypeOf(await settle(endpointsOf(api).find.run(input, testContext()))).toEqualTypeOf<{
  id: number
  title: string
}>()
const findBook = async (id: number): Promise<ABook> => ({ id, title: '' })
const findTask = (id: number): TE.TaskEither<string, ABook> => TE.right({ id, title: '' })
expectTypeOf(await settle(findBook(1))).toEqualTypeOf<ABook>()
expectTypeOf(await settle(findTask(1))).toEqualTypeOf<ABook>()
