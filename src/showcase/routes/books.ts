/** Operations on books. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  as,
  body,
  cache,
  created,
  del,
  example,
  fails,
  get,
  handle,
  json,
  jsonStream,
  list,
  ndjson,
  needs,
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
  string,
  withHeader,
  year,
  description,
  summary,
  tags,
} from 'espalier'
import { addLinks, hal, halCollection } from 'espalier/hal'
import { injectLinks, rel } from 'espalier/links'
import { xml } from 'espalier/xml'
import { Feed } from './activity.ts'
import type { Book } from '../domain/book.ts'
import * as Books from '../domain/book.ts'
import { pageOf, pageLinks, paging } from './paging.ts'
import { BookStore } from '../domain/book.ts'

/**
 * The resource on which all book operations are based. Responses contain `Link` headers for the book or for the
 * collection.
 */
const books = pipe(path('/books'), needs({ bookStore: BookStore }), injectLinks('instance'))
const noSuchBook = (isbn: string): Books.NoSuchBook => ({ _tag: 'NoSuchBook', isbn })

/** A book that the library does not have, for examples of the documentation. */
const newBook: Book = {
  isbn: '9780141439587',
  title: 'Emma',
  author: 'Austen',
  published: 1815,
  copies: 3,
}

/** Restricts an operation to librarians. Only librarians can modify books. */
const forLibrarians = rolesAllowed('librarian')

const csvCell = (value: string | number): string => `"${String(value).replaceAll('"', '""')}"`

const csvRow = ({ isbn, title, author, published, copies }: Book): string =>
  [isbn, title, author, published, copies].map(csvCell).join(',')

/** A custom representation of books as comma-separated values (RFC 4180). */
const csv = representation({
  mediaType: 'text/csv',
  write: (rows: ReadonlyArray<Book>) =>
    ['isbn,title,author,published,copies', ...rows.map(csvRow), ''].join('\r\n'),
})

export const listBooks = pipe(
  books,
  get(),
  summary('List books'),
  description(
    'Returns one page of the books that match all filters. The header `X-Total-Count` contains the number of all matching books.',
  ),
  paging,
  query({ author: optional(string), tag: list(string), since: optional(year) }),
  produces(json(Books.Books), xml(Books.Books), hal(Books.Books, { collection: 'books' }), csv),
  example('page', [Books.exampleBook]),
  rel(),
  cache({ maxAge: 5 }),
  handle(async ({ query: filter, needs: { bookStore } }, { uri }) => {
    const found = (await bookStore.all())
      .filter(({ author }) => filter.author === undefined || author.includes(filter.author))
      .filter(({ tags: labels = [] }) => filter.tag.every((tag) => labels.includes(tag)))
      .filter(({ published }) => filter.since === undefined || published >= filter.since)
    const page = pipe(
      halCollection(pageOf(found, filter)),
      addLinks(...pageLinks(uri, filter, found.length)),
    )
    return pipe(ok(page), withHeader('X-Total-Count', String(found.length)))
  }),
)

/** Streams all books, either as a JSON array or as newline-delimited JSON. */
export const exportBooks = pipe(
  books,
  get('/export'),
  summary('Export all books as a stream'),
  produces(jsonStream(Books.Book), ndjson(Books.Book)),
  example('books', [Books.exampleBook]),
  handle(({ needs: { bookStore } }) => bookStore.each()),
)

const sentence = representation({
  mediaType: 'text/plain',
  write: ({ title, author, published }: Book) => `${title} by ${author}, ${published}\n`,
})

export const getBook = pipe(
  books,
  get('/{isbn:\\d{13}}', { isbn: Books.Isbn }),
  summary('Get a book'),
  produces(
    json(Books.Book),
    as('application/vnd.library.book+json')(json(Books.Book)),
    xml(Books.Book),
    hal(Books.Book),
    sentence,
  ),
  fails(404, json(Books.NoSuchBook)),
  example('book', Books.exampleBook),
  example('unknown book', noSuchBook('9780000000000'), { status: 404 }),
  rel(),
  handle(async ({ path: { isbn }, needs: { bookStore } }) =>
    pipe(
      await bookStore.find(isbn),
      E.fromOption(() => noSuchBook(isbn)),
    ),
  ),
)

export const createBook = pipe(
  books,
  post(),
  summary('Add a book'),
  forLibrarians,
  body(json(Books.Book), xml(Books.Book)),
  responds(201, json(Books.Book)),
  fails(409, json(Books.AlreadyThere)),
  example('book', newBook, { in: 'request' }),
  example('book', newBook, { status: 201 }),
  example('known book', { _tag: 'AlreadyThere', isbn: newBook.isbn }, { status: 409 }),
  rel(undefined, { title: 'Add a book' }),
  needs({ feed: Feed }),
  handle(async ({ body: book, needs: { bookStore, feed } }) => {
    if (O.isSome(await bookStore.find(book.isbn)))
      return E.left({ _tag: 'AlreadyThere' as const, isbn: book.isbn })
    await bookStore.put(book)
    await feed.publish({ what: 'added', isbn: book.isbn })
    return E.right(created(`/books/${book.isbn}`, book))
  }),
)

export const replaceBook = pipe(
  books,
  put('/{isbn:\\d{13}}', { isbn: Books.Isbn }),
  summary('Add or replace a book'),
  forLibrarians,
  body(json(Books.Description)),
  produces(json(Books.Book)),
  responds(201, json(Books.Book)),
  example('description', Books.exampleDescription, { in: 'request' }),
  example('book', Books.exampleBook),
  rel(),
  handle(async ({ path: { isbn }, body: replacement, needs: { bookStore } }) => {
    const book = { ...replacement, isbn }
    return (await bookStore.put(book)) ? created(`/books/${isbn}`, book) : ok(book)
  }),
)

export const deleteBook = pipe(
  books,
  del('/{isbn:\\d{13}}', { isbn: Books.Isbn }),
  summary('Delete a book'),
  forLibrarians,
  responds(204),
  fails(404, json(Books.NoSuchBook)),
  rel(),
  handle(async ({ path: { isbn }, needs: { bookStore } }) =>
    (await bookStore.remove(isbn)) ? E.right(noContent) : E.left(noSuchBook(isbn)),
  ),
)

export const bookRoutes = pipe(
  routes({ listBooks, exportBooks, getBook, createBook, replaceBook, deleteBook }),
  tags({ name: 'books', description: 'The catalogue' }),
)
