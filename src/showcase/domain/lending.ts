/** The lending service: an interface based on fp-ts types, and an in-memory implementation. */
import * as t from 'io-ts'
import { int, slot } from 'espalier'
import type { NoSuchBook, BookStore } from './book.ts'
import { Isbn } from './book.ts'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

export const Loan = t.type({ id: int, isbn: Isbn, member: t.string }, 'Loan')
export type Loan = t.TypeOf<typeof Loan>

export const Loans = t.readonlyArray(Loan)

/** The request body for lending a book. */
export const LoanRequest = t.type({ isbn: Isbn })

export interface NoCopyLeft {
  readonly _tag: 'NoCopyLeft'
  readonly isbn: string
}

export interface TooManyLoans {
  readonly _tag: 'TooManyLoans'
  readonly maximum: number
}

/** Errors returned by the lending service. They are independent of HTTP. */
export type LendingError = NoSuchBook | NoCopyLeft | TooManyLoans

export interface LendingService {
  readonly lend: (isbn: string, member: string) => TE.TaskEither<LendingError, Loan>
  readonly loansOf: (member: string) => ReadonlyArray<Loan>
  /** Ends a loan. Returns the loan, or `undefined` if the member does not have a loan with this id. */
  readonly giveBack: (id: number, member: string) => Loan | undefined
  /** Returns how often each book has been lent since the application started, keyed by ISBN. */
  readonly lent: () => ReadonlyMap<string, number>
}

export const LendingService = slot<LendingService>()('lending')

/** Maximum number of concurrent loans per member. */
const maxLoans = 3

/** Creates an in-memory lending service. */
export const inMemoryLendingService = (bookStore: BookStore): LendingService => {
  const loans = new Map<number, Loan>()
  const lent = new Map<string, number>()
  const count = (is: (loan: Loan) => boolean): number => [...loans.values()].filter(is).length
  let last = 0

  const check =
    (isbn: string, member: string) =>
    (copies: number): TE.TaskEither<LendingError, Loan> => {
      if (count((loan) => loan.member === member) >= maxLoans)
        return TE.left({ _tag: 'TooManyLoans', maximum: maxLoans })
      if (count((loan) => loan.isbn === isbn) >= copies)
        return TE.left({ _tag: 'NoCopyLeft', isbn })
      const loan = { id: ++last, isbn, member }
      loans.set(loan.id, loan)
      lent.set(isbn, (lent.get(isbn) ?? 0) + 1)
      return TE.right(loan)
    }

  return {
    lend: (isbn, member) =>
      pipe(
        TE.fromTask(() => bookStore.find(isbn)),
        TE.flatMap(
          O.match(
            (): TE.TaskEither<LendingError, number> => TE.left({ _tag: 'NoSuchBook', isbn }),
            ({ copies }) => TE.right(copies),
          ),
        ),
        TE.flatMap(check(isbn, member)),
      ),
    loansOf: (member) => [...loans.values()].filter((loan) => loan.member === member),
    giveBack: (id, member) => {
      const loan = loans.get(id)
      if (loan?.member !== member) return undefined
      loans.delete(id)
      return loan
    },
    lent: () => lent,
  }
}
