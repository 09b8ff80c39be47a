/** What is on the shelf when the library opens. */
import type { Book } from './book.ts'

/** A price in euros. A number of JSON would do for this one; for one of many digits it would not. */
const cents = (amount: bigint) => ({ unscaled: amount, scale: 2 })

export const initialBooks: ReadonlyArray<Book> = [
  {
    isbn: '9780262510875',
    title: 'Structure and Interpretation of Computer Programs',
    author: 'Abelson',
    published: 1985,
    copies: 2,
    tags: ['lisp'],
    price: cents(7250n),
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
