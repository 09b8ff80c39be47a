/** A library of books: the declarations that the wrong programs share. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  fails,
  get,
  handle,
  int,
  json,
  needs,
  path,
  produces,
  reply,
  routes,
  slot,
} from '../../../src/index.ts'

export const Book = t.type({ id: int, title: t.string }, 'Book')
export const Missing = t.type({ _tag: t.literal('Missing'), id: int })
export const emma = { id: 1, title: 'Emma' }
export const books = new Map<number, t.TypeOf<typeof Book>>()

export interface Books {
  readonly find: (id: number) => Promise<t.TypeOf<typeof Book> | undefined>
}
export const BooksSlot = slot<Books>()('books')

export const getBook = pipe(
  path('/books/{id}', { id: int }),
  get(),
  produces(json(Book)),
  fails(404),
  handle((input) => books.get(input.path.id) ?? reply(404)),
)
export const api = routes({ getBook })
export const findBook = pipe(
  path('/find/{id}', { id: int }),
  get(),
  needs({ books: BooksSlot }),
  produces(json(Book)),
  fails(404),
  handle(async (input) => (await input.needs.books.find(input.path.id)) ?? reply(404)),
)
