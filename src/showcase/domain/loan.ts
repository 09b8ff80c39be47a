/** Loans, and the errors of lending. */
import * as t from 'io-ts'
import { int } from 'espalier'
import type { NoSuchBook } from './book.ts'
import { Isbn } from './book.ts'

export const Loan = t.type({ id: int, isbn: Isbn, member: t.string }, 'Loan')
export type Loan = t.TypeOf<typeof Loan>

export const Loans = t.readonlyArray(Loan)

/** The body of a request for a loan. */
export const LoanRequest = t.type({ isbn: Isbn })

export interface NoCopyLeft {
  readonly _tag: 'NoCopyLeft'
  readonly isbn: string
}

export interface TooManyLoans {
  readonly _tag: 'TooManyLoans'
  readonly most: number
}

/** Errors of the domain, independent of HTTP. */
export type LendingError = NoSuchBook | NoCopyLeft | TooManyLoans
