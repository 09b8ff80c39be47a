/** Where books are kept: an interface in the style of fp-ts, and one that keeps them in memory. */
import * as O from 'fp-ts/lib/Option.js'
import { slot } from 'espalier'
import type { Book } from './book.ts'

/** What the endpoints need of a store. */
export interface BookStore {
  readonly all: () => Promise<ReadonlyArray<Book>>
  /** One after another, for those who want them all. */
  readonly each: () => AsyncIterable<Book>
  readonly find: (isbn: string) => Promise<O.Option<Book>>
  /** Whether the book is new. */
  readonly put: (book: Book) => Promise<boolean>
  /** Whether there was such a book. */
  readonly remove: (isbn: string) => Promise<boolean>
}

/** The place for a store, filled where the tree is put together. */
export const BookStore = slot<BookStore>()('shelf')

/** A store that forgets when the process ends. */
export const inMemoryBookStore = (books: ReadonlyArray<Book>): BookStore => {
  const byIsbn = new Map(books.map((book) => [book.isbn, book]))
  return {
    all: async () => [...byIsbn.values()],
    each: async function* () {
      yield* byIsbn.values()
    },
    find: async (isbn) => O.fromNullable(byIsbn.get(isbn)),
    put: async (book) => {
      const isNew = !byIsbn.has(book.isbn)
      byIsbn.set(book.isbn, book)
      return isNew
    },
    remove: async (isbn) => byIsbn.delete(isbn),
  }
}
