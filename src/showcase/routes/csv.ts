/** Books as comma-separated values (RFC 4180): a representation of the application's own. */
import { representation } from 'espalier'
import type { Book } from '../domain/book.ts'

const cell = (value: string | number): string => `"${String(value).replaceAll('"', '""')}"`

const row = ({ isbn, title, author, published, copies }: Book): string =>
  [isbn, title, author, published, copies].map(cell).join(',')

export const csv = representation({
  mediaType: 'text/csv',
  write: (books: ReadonlyArray<Book>) =>
    ['isbn,title,author,published,copies', ...books.map(row), ''].join('\r\n'),
})
