/** The store of books: an interface, and an implementation in memory. */
import * as O from 'fp-ts/lib/Option.js'
import { slot } from 'espalier'
import type { Book } from './book.ts'

export interface BookStore {
  readonly all: () => Promise<ReadonlyArray<Book>>
  /** Returns all books as a stream. */
  readonly each: () => AsyncIterable<Book>
  readonly find: (isbn: string) => Promise<O.Option<Book>>
  /** Stores a book. Returns whether it is new. */
  readonly put: (book: Book) => Promise<boolean>
  /** Removes a book. Returns whether it existed. */
  readonly remove: (isbn: string) => Promise<boolean>
}

/** The slot of the store, which `api.ts` provides. */
export const BookStore = slot<BookStore>()('bookStore')

/** Creates a store in memory. */
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
