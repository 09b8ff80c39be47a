/** Right programs that must compile: handlers by reference, literals in results, generic code and the results of `run`. */
import { expectTypeOf } from 'expect-type'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import {
  body,
  created,
  enumOf,
  fails,
  get,
  handle,
  implement,
  int,
  json,
  ok,
  path,
  post,
  produces,
  query,
  reply,
  responds,
  routes,
  string,
  text,
} from '../../src/index.ts'
import type { Context, Reply } from '../../src/index.ts'

const Book = t.type({ id: t.number, title: t.string })
type Book = t.TypeOf<typeof Book>
const Missing = t.type({ _tag: t.literal('Missing'), id: t.number })
type Missing = t.TypeOf<typeof Missing>

// a handler by reference

interface ById {
  readonly path: { readonly id: number }
}
const find = async ({ path: { id } }: ById): Promise<Book> => ({ id, title: '' })
const findInContext = ({ path: { id } }: ById, context: Context): Book => ({
  id,
  title: context.uri.path,
})
const books = { find, list: () => [{ id: 1, title: '' }] }
class Library {
  readonly #title: string
  constructor(title: string) {
    this.#title = title
  }
  readonly find = ({ path: { id } }: ById): Book => ({ id, title: this.#title })
}
const createFind =
  (title: string) =>
  ({ path: { id } }: ById): Book => ({ id, title })
const findOrFail = ({ path: { id } }: ById): TE.TaskEither<Missing, Book> =>
  id > 0 ? TE.right({ id, title: '' }) : TE.left({ _tag: 'Missing', id })
const findEither = ({ path: { id } }: ById): E.Either<Missing, Book> =>
  id > 0 ? E.right({ id, title: '' }) : E.left({ _tag: 'Missing', id })
const identity = <A>(input: A): A => input
const byId = path('/books/{id}', { id: int })

pipe(byId, get(), produces(json(Book)), handle(find))
pipe(byId, get(), produces(json(Book)), handle(findInContext))
pipe(byId, get(), produces(json(Book)), handle(books.find))
pipe(byId, get(), produces(json(Book)), handle(new Library('').find))
pipe(byId, get(), produces(json(Book)), handle(createFind('')))
pipe(
  byId,
  get(),
  produces(json(Book)),
  handle(({ path: { id } }: ById) => ({ id, title: '' })),
)
pipe(
  byId,
  get(),
  produces(json(Book)),
  handle(async ({ path: { id } }: ById): Promise<Book> => ({ id, title: '' })),
)
pipe(byId, get(), produces(json(Book)), fails(404, json(Missing)), handle(findOrFail))
pipe(byId, get(), produces(json(Book)), fails(404, json(Missing)), handle(findEither))
pipe(path('/books'), get(), produces(json(t.array(Book))), handle(books.list))
pipe(
  path('/books'),
  query({ size: int, tag: string }),
  get(),
  produces(text),
  // a handler can use a part of the input
  handle(({ query: { size } }: { readonly query: { readonly size: number } }) => String(size)),
)
pipe(
  path('/echo'),
  post(),
  body(text),
  produces(text),
  handle(({ body: sent }) => identity(sent)),
)

const contract = pipe(byId, get(), produces(json(Book)), fails(404, json(Missing)))
implement(contract, find)
implement(contract, books.find)
implement(contract, createFind(''))
implement(contract, findOrFail)
implement(contract, ({ path: { id } }: ById) => ({ id, title: '' }))
const handled = pipe(contract, handle(find))

// a wrong handler is an error at the handler

const endpoint = pipe(byId, get(), produces(json(Book)))
interface ByText {
  readonly path: { readonly id: string }
}
pipe(
  endpoint,
  // @ts-expect-error the variable is a number
  handle(({ path: { id } }: ByText) => ({ id: 1, title: id })),
)
pipe(
  endpoint,
  // @ts-expect-error the endpoint has no body
  handle(({ body: sent }: { readonly body: Book }) => sent),
)
pipe(
  endpoint,
  // @ts-expect-error the result has no title
  handle(async ({ path: { id } }: ById) => ({ id })),
)
// @ts-expect-error the endpoint has no method
pipe(byId, produces(json(Book)), handle(find))

// literals in results

const Kind = t.type({ kind: enumOf('a', 'b') })
const kinds = pipe(path('/kinds'), get(), produces(json(Kind)))
pipe(
  kinds,
  handle(() => ({ kind: 'a' })),
)
pipe(
  kinds,
  handle(async () => ({ kind: 'a' })),
)
pipe(
  kinds,
  handle(() => ok({ kind: 'a' })),
)
pipe(
  kinds,
  handle(() => E.right({ kind: 'a' })),
)
pipe(
  kinds,
  handle(() => TE.right({ kind: 'a' })),
)
pipe(
  path('/kinds'),
  post(),
  responds(201, json(Kind)),
  handle(() => created('/', { kind: 'a' })),
)
pipe(
  path('/kinds'),
  post(),
  responds(201, json(Kind)),
  handle(async () => created('/', { kind: 'a' })),
)
const missing = pipe(byId, get(), produces(json(Book)), fails(404, json(Missing)))
pipe(
  missing,
  handle(({ path: { id } }) => E.left({ _tag: 'Missing', id })),
)
pipe(
  missing,
  handle(({ path: { id } }) => TE.left({ _tag: 'Missing', id })),
)
pipe(
  missing,
  handle(async ({ path: { id } }) => E.left({ _tag: 'Missing', id })),
)
pipe(
  missing,
  handle(({ path: { id } }) =>
    id > 0 ? E.right({ id, title: '' }) : E.left({ _tag: 'Missing', id }),
  ),
)
pipe(
  missing,
  handle(({ path: { id } }) => reply(404, { _tag: 'Missing', id })),
)
pipe(
  missing,
  handle(async ({ path: { id } }) => reply(404, { _tag: 'Missing', id })),
)
pipe(
  missing,
  handle(({ path: { id } }) => (id > 0 ? { id, title: '' } : reply(404, { _tag: 'Missing', id }))),
)
implement(missing, ({ path: { id } }) => reply(404, { _tag: 'Missing', id }))
expectTypeOf(reply(404, { _tag: 'Missing', id: 1 })).toEqualTypeOf<
  Reply<404, { _tag: 'Missing'; id: number }>
>()
pipe(
  missing,
  // @ts-expect-error another tag
  handle(({ path: { id } }) => reply(404, { _tag: 'Other', id })),
)

routes({ handled })
