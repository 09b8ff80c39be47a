/** The operations on books. Each is a value: declared in a pipe, tested as a function, put into the tree below. */
import * as E from 'fp-ts/lib/Either.js'
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import {
  as,
  atMost,
  between,
  body,
  cache,
  cookie,
  created,
  del,
  enumOf,
  fails,
  form,
  get,
  handle,
  header,
  int,
  json,
  jsonStream,
  list,
  matrix,
  ndjson,
  needs,
  noCache,
  noContent,
  ok,
  optional,
  path,
  post,
  produces,
  put,
  query,
  representation,
  responds,
  rolesAllowed,
  routes,
  separated,
  string,
  withDefault,
  withHeader,
  year,
} from 'espalier'
import { Feed } from './activity.ts'
import type { Book } from './book.ts'
import * as Books from './book.ts'
import { csv } from './csv.ts'
import { Shelf } from './shelf.ts'

const books = pipe(path('/books'), needs({ shelf: Shelf }))
const noSuchBook = (isbn: string): Books.NoSuchBook => ({ _tag: 'NoSuchBook', isbn })

/** Anybody may look; what is there, librarians say. */
const forLibrarians = rolesAllowed('librarian')

/** A container of parameters: whoever pages, pages like this. */
const paging = query({
  page: withDefault(between(1, 10_000)(int), 1),
  size: withDefault(between(1, 100)(int), 20),
})

const pageOf = <A>(
  items: ReadonlyArray<A>,
  { page, size }: { readonly page: number; readonly size: number },
) => items.slice((page - 1) * size, page * size)

export const listBooks = pipe(
  books,
  get(),
  paging,
  query({ author: optional(string), tag: list(string), since: optional(year) }),
  produces(json(t.readonlyArray(Books.Book)), csv),
  cache({ maxAge: 5 }),
  handle(async ({ query: wanted, needs: { shelf } }) => {
    const found = (await shelf.all())
      .filter(({ author }) => wanted.author === undefined || author.includes(wanted.author))
      .filter(({ tags = [] }) => wanted.tag.every((tag) => tags.includes(tag)))
      .filter(({ published }) => wanted.since === undefined || published >= wanted.since)
    return pipe(ok(pageOf(found, wanted)), withHeader('X-Total-Count', String(found.length)))
  }),
)

/** Everything there is, as it is read: as one JSON array, or as a value a line. */
export const exportBooks = pipe(
  books,
  get('/export'),
  produces(jsonStream(Books.Book), ndjson(Books.Book)),
  handle(({ needs: { shelf } }) => shelf.each()),
)

const inWords = representation({
  mediaType: 'text/plain',
  write: ({ title, author, published }: Book) => `${title} by ${author}, ${published}\n`,
})

export const getBook = pipe(
  books,
  get('/{isbn:\\d{13}}', { isbn: Books.Isbn }),
  produces(json(Books.Book), as('application/vnd.library.book+json')(json(Books.Book)), inWords),
  fails(404, json(Books.NoSuchBook)),
  handle(async ({ path: { isbn }, needs: { shelf } }) =>
    pipe(
      await shelf.find(isbn),
      E.fromOption(() => noSuchBook(isbn)),
    ),
  ),
)

export const createBook = pipe(
  books,
  post(),
  forLibrarians,
  body(json(Books.Book)),
  responds(201, json(Books.Book)),
  fails(409, json(Books.AlreadyThere)),
  needs({ feed: Feed }),
  handle(async ({ body: book, needs: { shelf, feed } }) => {
    if (O.isSome(await shelf.find(book.isbn)))
      return E.left({ _tag: 'AlreadyThere' as const, isbn: book.isbn })
    await shelf.put(book)
    await feed.publish({ what: 'added', isbn: book.isbn })
    return E.right(created(`/books/${book.isbn}`, book))
  }),
)

export const replaceBook = pipe(
  books,
  put('/{isbn:\\d{13}}', { isbn: Books.Isbn }),
  forLibrarians,
  body(json(Books.Description)),
  produces(json(Books.Book)),
  responds(201, json(Books.Book)),
  handle(async ({ path: { isbn }, body: description, needs: { shelf } }) => {
    const book = { ...description, isbn }
    return (await shelf.put(book)) ? created(`/books/${isbn}`, book) : ok(book)
  }),
)

export const deleteBook = pipe(
  books,
  del('/{isbn:\\d{13}}', { isbn: Books.Isbn }),
  forLibrarians,
  responds(204),
  fails(404, json(Books.NoSuchBook)),
  handle(async ({ path: { isbn }, needs: { shelf } }) =>
    (await shelf.remove(isbn)) ? E.right(noContent) : E.left(noSuchBook(isbn)),
  ),
)

/** Who asks, and in which language: said in the head of a request. */
const reader = flow(
  header({ acceptLanguage: optional(string) }),
  cookie({ member: optional(string) }),
)

/** Every kind of parameter in one operation. */
export const searchBooks = pipe(
  books,
  post('/search/{field}', { field: enumOf('title', 'author') }),
  paging,
  reader,
  query({ sort: separated(',')(enumOf('title', 'author', 'published')) }),
  matrix({ decade: optional(atMost(2100)(int)) }),
  form({ text: string, tag: list(string) }),
  produces(json(t.type({ member: t.string, books: t.readonlyArray(Books.Book) }))),
  noCache(),
  handle(
    async ({
      path: { field },
      query: wanted,
      matrix: { decade },
      cookie: { member },
      form: { text, tag },
      needs: { shelf },
    }) => {
      const found = (await shelf.all())
        .filter((book) => book[field].toLowerCase().includes(text.toLowerCase()))
        .filter(({ tags = [] }) => tag.every((one) => tags.includes(one)))
        .filter(
          ({ published }) => decade === undefined || Math.floor(published / 10) * 10 === decade,
        )
      const sorted = wanted.sort.reduceRight<ReadonlyArray<Book>>(
        (sofar, key) => sofar.toSorted((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0)),
        found,
      )
      return { member: member ?? 'a guest', books: pageOf(sorted, wanted) }
    },
  ),
)

export const bookRoutes = routes({
  listBooks,
  exportBooks,
  getBook,
  createBook,
  replaceBook,
  deleteBook,
  searchBooks,
})
