/** An operation that searches for books. It declares every kind of parameter. */
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  atMost,
  cookie,
  enumOf,
  example,
  form,
  handle,
  header,
  int,
  json,
  list,
  matrix,
  needs,
  noCache,
  optional,
  path,
  post,
  produces,
  query,
  routes,
  separated,
  string,
  summary,
  tags,
} from 'espalier'
import { Book, BookStore, exampleBook } from '../domain/book.ts'
import { pageOf, paging } from './paging.ts'

/**
 * Declares two parameters that describe the user: a cookie that contains the name of the library member, and a header
 * that contains the preferred languages.
 */
const reader = flow(
  header({ acceptLanguage: optional(string) }),
  cookie({ member: optional(string) }),
)

export const searchBooks = pipe(
  path('/search/{field}', { field: enumOf('title', 'author') }),
  needs({ bookStore: BookStore }),
  post(),
  summary('Search for books'),
  paging,
  reader,
  query({ sort: separated(',')(enumOf('title', 'author', 'published')) }),
  matrix({ decade: optional(atMost(2100)(int)) }),
  form({ text: string, tag: list(string) }),
  produces(json(t.type({ member: t.string, books: t.readonlyArray(Book) }))),
  example('books', { member: 'a guest', books: [exampleBook] }),
  noCache(),
  handle(
    async ({
      path: { field },
      query: wanted,
      matrix: { decade },
      cookie: { member },
      form: { text, tag },
      needs: { bookStore },
    }) => {
      const found = (await bookStore.all())
        .filter((book) => book[field].toLowerCase().includes(text.toLowerCase()))
        .filter(({ tags: given = [] }) => tag.every((required) => given.includes(required)))
        .filter(
          ({ published }) => decade === undefined || Math.floor(published / 10) * 10 === decade,
        )
      const sorted = wanted.sort.reduceRight<ReadonlyArray<Book>>(
        (ordered, key) =>
          ordered.toSorted((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0)),
        found,
      )
      return { member: member ?? 'a guest', books: pageOf(sorted, wanted) }
    },
  ),
)

export const searchRoutes = pipe(routes({ searchBooks }), tags('books'))
