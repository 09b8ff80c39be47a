/** The lending service: an interface in the style of fp-ts, and an implementation in memory. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { slot } from 'espalier'
import type { Loan, LendingError } from './loan.ts'
import type { BookStore } from './book-store.ts'

export interface LendingService {
  readonly lend: (isbn: string, member: string) => TE.TaskEither<LendingError, Loan>
  readonly loansOf: (member: string) => ReadonlyArray<Loan>
  /** Ends a loan and returns it, or `undefined` if the member has no such loan. */
  readonly giveBack: (id: number, member: string) => Loan | undefined
  /** Returns the number of loans of each book since the start. */
  readonly lent: () => ReadonlyMap<string, number>
}

export const LendingService = slot<LendingService>()('lending')

/** The maximum number of loans per member. */
const maxLoans = 3

/** Creates a lending service in memory. */
export const inMemoryLendingService = (bookStore: BookStore): LendingService => {
  const loans = new Map<number, Loan>()
  const lent = new Map<string, number>()
  const count = (is: (loan: Loan) => boolean): number => [...loans.values()].filter(is).length
  let last = 0

  const check =
    (isbn: string, member: string) =>
    (copies: number): TE.TaskEither<LendingError, Loan> => {
      if (count((loan) => loan.member === member) >= maxLoans)
        return TE.left({ _tag: 'TooManyLoans', most: maxLoans })
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
