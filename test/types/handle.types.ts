/** Types of handlers: input, context and results. */
import { expectTypeOf } from 'expect-type'
import * as Either from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Context, HandlerOf, InputOf } from '../../src/index.ts'
import {
  body,
  BadRequest,
  fails,
  get,
  handle,
  header,
  HttpError,
  implement,
  int,
  json,
  list,
  needs,
  NotFound,
  ok,
  optional,
  path,
  post,
  produces,
  query,
  Redirection,
  reply,
  slot,
  string,
  withDefault,
} from '../../src/index.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
const Missing = t.type({ _tag: t.literal('Missing'), isbn: t.string })
interface Books {
  readonly find: (isbn: string) => t.TypeOf<typeof Book> | undefined
}
const Books = slot<Books>()('books')
const book = { isbn: '9780000000000', pages: 1 }

// the input has all declared values, decoded
const contract = pipe(
  path('/shelves/{shelf}/books/{isbn:\\d{13}}', { shelf: int }),
  post('/{page}', { page: int }),
  query({ size: withDefault(int, 20), tag: list(string) }),
  header({ userAgent: optional(string) }),
  body(json(Book)),
  needs({ books: Books }),
  produces(json(Book)),
  fails(404, json(Missing)),
)
expectTypeOf<InputOf<typeof contract>>().toEqualTypeOf<{
  readonly path: { readonly shelf: number; readonly isbn: string; readonly page: number }
  readonly query: { readonly size: number; readonly tag: ReadonlyArray<string> }
  readonly header: { readonly userAgent: string | undefined }
  readonly body: { isbn: string; pages: number }
  readonly needs: { readonly books: Books }
}>()
const endpoint = pipe(
  contract,
  handle((input, context) => {
    expectTypeOf(input).toEqualTypeOf<InputOf<typeof contract>>()
    expectTypeOf(context).toEqualTypeOf<Context>()
    // @ts-expect-error the context has no slots
    void context.books
    // @ts-expect-error the input is read-only
    input.path.page = 2
    const found = input.needs.books.find(input.path.isbn)
    return found ?? Either.left({ _tag: 'Missing' as const, isbn: input.path.isbn })
  }),
)
// the input is inferred within getOne pipe
pipe(
  path('/books/{page}', { page: int }),
  get(),
  query({ tag: list(string) }),
  produces(json(Book)),
  handle(({ path: { page }, query: { tag } }) => ({ isbn: tag.join(), pages: page })),
)

// the context gives access to the request
expectTypeOf<Context['request']['method']>().toEqualTypeOf<string>()
expectTypeOf<Context['request']['path']>().toEqualTypeOf<string>()
expectTypeOf<Context['request']['query']>().toEqualTypeOf<string | undefined>()
expectTypeOf<Context['request']['header']>().toEqualTypeOf<(name: string) => string | undefined>()
expectTypeOf<Context['request']['headers']>().toEqualTypeOf<ReadonlyArray<string>>()
expectTypeOf<Context['request']['id']>().toEqualTypeOf<string>()
expectTypeOf<Context['request']['signal']>().toEqualTypeOf<AbortSignal>()
expectTypeOf<Context['endpoint']>().toEqualTypeOf<{
  readonly name: string
  readonly method: string
  readonly template: string
}>()

// a value, a reply, an `Either` of them, a promise, a `Task` or a `TaskEither`
const getOne = pipe(path('/books'), get(), produces(json(Book)), fails(404, json(Missing)))
const missing = { _tag: 'Missing', isbn: '' } as const
pipe(
  getOne,
  handle(() => book),
)
pipe(
  getOne,
  handle(() => ok(book)),
)
pipe(
  getOne,
  handle(() => Either.right(book)),
)
pipe(
  getOne,
  handle(() => Either.right(ok(book))),
)
pipe(
  getOne,
  handle(async () => book),
)
pipe(
  getOne,
  handle(async () => Either.left(missing)),
)
pipe(
  getOne,
  handle(() => T.of(book)),
)
pipe(
  getOne,
  handle(() => TE.right(ok(book))),
)
pipe(
  getOne,
  handle(() => TE.left(missing)),
)
pipe(
  getOne,
  handle((_input, { request }) => {
    if (request.query === undefined) return reply(404, missing)
    return request.method === 'GET' ? Promise.resolve(book) : TE.left(missing)
  }),
)
pipe(
  getOne,
  // @ts-expect-error a promise of a value of another type
  handle(async () => 'book'),
)
pipe(
  getOne,
  // @ts-expect-error a `Right` of a value of another type
  handle(() => Either.right('book')),
)
pipe(
  getOne,
  // @ts-expect-error a task of a value of another type
  handle(() => T.of('book')),
)
pipe(
  getOne,
  // @ts-expect-error a failure of another type
  handle(() => TE.left('book')),
)
pipe(
  getOne,
  // @ts-expect-error a promise of a task
  handle(async () => T.of(book)),
)
pipe(
  getOne,
  // @ts-expect-error a third parameter
  handle((_input, _context, third: string) => ({ isbn: third, pages: 1 })),
)

// an HttpError needs no declaration
implement(getOne, () => new NotFound())
implement(getOne, async () => new HttpError(402))
implement(getOne, () => T.of(new BadRequest('no', { detail: 'no' })))
implement(getOne, () => Either.left(new NotFound()))
implement(getOne, () => TE.left(new Redirection(303, '/books/2')))
implement(getOne, () => {
  throw new NotFound()
})
// @ts-expect-error an undeclared error
implement(getOne, () => new Error('no'))
// @ts-expect-error an undeclared error in a `Left`
implement(getOne, () => Either.left(new Error('no')))

// a missing method results in getOne compiler error, on the step before the handler
const resource = path('/books/{page}', { page: int })
pipe(
  // @ts-expect-error no method
  resource,
  handle(
    // the input still has its type
    ({ path: { page } }) => {
      expectTypeOf(page).toEqualTypeOf<number>()
    },
  ),
)
pipe(
  resource,
  query({ size: int }),
  // @ts-expect-error no method
  produces(json(Book)),
  handle(
    // the result has no compiler error
    ({ path: { page }, query: { size } }) => {
      expectTypeOf(size).toEqualTypeOf<number>()
      return { isbn: '', pages: page }
    },
  ),
)
// several configuration errors result in getOne compiler error
pipe(
  resource,
  query({ size: int }),
  query({ size: int }),
  fails(404, json(Missing)),
  fails(404, json(Missing)),
  // @ts-expect-error a duplicate parameter, a duplicate failure, no method
  produces(json(Book)),
  handle(
    // the input keeps its type
    ({ path: { page }, query: { size } }) => {
      expectTypeOf(size).toEqualTypeOf<number>()
      return { isbn: '', pages: page }
    },
  ),
)
implement(
  // @ts-expect-error no method
  resource,
  // the input still has its type
  ({ path: { page } }) => {
    expectTypeOf(page).toEqualTypeOf<number>()
  },
)

// `run` is the handler, which unit tests can call
declare const context: Context
const input: InputOf<typeof contract> = {
  path: { shelf: 1, isbn: '9780000000000', page: 1 },
  query: { size: 20, tag: [] },
  header: { userAgent: undefined },
  body: book,
  needs: { books: { find: () => book } },
}
void endpoint.run(input, context)
expectTypeOf(endpoint.run).toEqualTypeOf<HandlerOf<typeof contract>>()
// @ts-expect-error the context is the second argument
void endpoint.run(input)
// @ts-expect-error the body is missing
void endpoint.run({ ...input, body: undefined }, context)
// @ts-expect-error a slot is missing
void endpoint.run({ ...input, needs: {} }, context)
// @ts-expect-error a variable is missing
void endpoint.run({ ...input, path: { shelf: 1, isbn: '' } }, context)
// @ts-expect-error an endpoint without a handler has no `run`
void contract.run

// handlers may be declared separately
const separate: HandlerOf<typeof contract> = ({ path: { isbn }, needs: { books } }) =>
  books.find(isbn) ?? new NotFound()
const pagesOf = ({ body: { pages } }: InputOf<typeof contract>): number => pages
const separated = implement(contract, separate)
pipe(contract, handle(separate))
expectTypeOf(separated.run).toEqualTypeOf<HandlerOf<typeof contract>>()
expectTypeOf(pagesOf).parameter(0).toEqualTypeOf<InputOf<typeof separated>>()
