/**
 * Defines books and the stores for books and covers. The same codec for books is used for JSON, XML, HAL, links and
 * views.
 */
import * as t from 'io-ts'
import {
  between,
  decimal,
  described,
  inView,
  int,
  length,
  pattern,
  optional,
  string,
  view,
  slot,
} from 'espalier'
import { linkId } from 'espalier/links'
import { xmlAttribute, xmlElementWrapper } from 'espalier/xml'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'

/** The views of a book. `Public` is visible to all clients, and `Internal` only to librarians. */
export const Public = view('Public')
export const Internal = view('Internal', Public)

/** A 13-digit ISBN. */
export const Isbn = described('A 13-digit ISBN', { examples: ['9780262510875'] })(
  pattern(/^\d{13}$/)(string),
)

/** The data of a book except its ISBN. */
export const Description = t.intersection(
  [
    t.type({
      title: length(1, 200)(string),
      author: length(1, 200)(string),
      published: described('The year of publication')(int),
      copies: described('The number of copies that the library owns')(between(0, 1000)(int)),
    }),
    t.partial({
      tags: xmlElementWrapper('tags', 'tag')(t.readonlyArray(t.string)),
      price: described('The price in euros')(optional(decimal)),
      note: described('A remark for librarians')(inView(Internal)(optional(t.string))),
    }),
  ],
  'Description',
)
export type Description = t.TypeOf<typeof Description>

export const Book = t.intersection(
  [t.type({ isbn: linkId(xmlAttribute()(Isbn)) }), Description],
  'Book',
)
export type Book = t.TypeOf<typeof Book>

export const Books = xmlElementWrapper('books', 'book')(t.readonlyArray(Book))

/** The data of a book in examples of the documentation. */
export const exampleDescription: Description = {
  title: 'Structure and Interpretation of Computer Programs',
  author: 'Abelson',
  published: 1985,
  copies: 2,
  tags: ['lisp'],
}

export const exampleBook: Book = { isbn: '9780262510875', ...exampleDescription }

/** The body of the error response for an unknown book. Clients can distinguish error bodies by `_tag`. */
export const NoSuchBook = t.type({ _tag: t.literal('NoSuchBook'), isbn: t.string })
export type NoSuchBook = t.TypeOf<typeof NoSuchBook>

export const AlreadyThere = t.type({ _tag: t.literal('AlreadyThere'), isbn: t.string })
export type AlreadyThere = t.TypeOf<typeof AlreadyThere>

export interface CoverStore {
  /** Copies the file at `path` into the store, and replaces any existing cover of the book. */
  readonly keep: (isbn: string, extension: string, path: string) => Promise<void>
  /** Returns the path to the cover of a book, or `none` if the book has no cover. */
  readonly find: (isbn: string) => Promise<O.Option<string>>
}

export const CoverStore = slot<CoverStore>()('covers')

/**
 * Creates a store that keeps covers in a directory. The directory is created when the first cover is stored. File names
 * are safe because they are derived from ISBNs, which contain only digits.
 */
export const coverDirectory = (directory: string): CoverStore => {
  const all = async (isbn: string): Promise<ReadonlyArray<string>> => {
    const names = await readdir(directory).catch((): ReadonlyArray<string> => [])
    return names.filter((name) => name.startsWith(`${isbn}.`)).map((name) => join(directory, name))
  }
  return {
    keep: async (isbn, extension, path) => {
      await mkdir(directory, { recursive: true })
      const before = await all(isbn)
      const fresh = join(directory, `new-${isbn}`)
      // copied instead of moved, because the upload may be on another file system
      await copyFile(path, fresh)
      await Promise.all(before.map((old) => rm(old, { force: true })))
      await rename(fresh, join(directory, `${isbn}.${extension}`))
    },
    find: async (isbn) => O.fromNullable((await all(isbn))[0]),
  }
}

export interface BookStore {
  readonly all: () => Promise<ReadonlyArray<Book>>
  /** Streams all books. */
  readonly each: () => AsyncIterable<Book>
  readonly find: (isbn: string) => Promise<O.Option<Book>>
  /** Stores a book. Resolves to `true` if the book is new. */
  readonly put: (book: Book) => Promise<boolean>
  /** Removes a book. Resolves to `true` if the book was in the store. */
  readonly remove: (isbn: string) => Promise<boolean>
}

/** The slot for the book store, which is provided in `api.ts`. */
export const BookStore = slot<BookStore>()('bookStore')

/** Creates an in-memory book store. */
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

/** Converts cents to a price in euros. The result is an exact decimal number, regardless of the number of digits. */
const euros = (cents: bigint) => ({ unscaled: cents, scale: 2 })

export const initialBooks: ReadonlyArray<Book> = [
  {
    isbn: '9780262510875',
    title: 'Structure and Interpretation of Computer Programs',
    author: 'Abelson',
    published: 1985,
    copies: 2,
    tags: ['lisp'],
    price: euros(7250n),
    note: 'The cover of the second copy is damaged.',
  },
  {
    isbn: '9780201896831',
    title: 'The Art of Computer Programming',
    author: 'Knuth',
    published: 1968,
    copies: 1,
    tags: ['algorithms'],
  },
  {
    isbn: '9780521663502',
    title: 'Purely Functional Data Structures',
    author: 'Okasaki',
    published: 1998,
    copies: 3,
    tags: ['algorithms', 'functional'],
  },
]
