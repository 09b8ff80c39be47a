/** The initial books of the library. */
import type { Book } from './book.ts'

/** Returns a price in euros. Decimals are exact for any number of digits. */
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
    note: 'the second copy is to be bound',
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
