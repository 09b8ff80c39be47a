/** Loans, as the library knows them, and what can be wrong with one. */
import * as t from 'io-ts'
import { int } from 'espalier'
import type { NoSuchBook } from './book.ts'
import { Isbn } from './book.ts'

export const Loan = t.type({ id: int, isbn: Isbn, member: t.string }, 'Loan')
export type Loan = t.TypeOf<typeof Loan>

export const Loans = t.readonlyArray(Loan)

/** What a member asks for. */
export const LoanRequest = t.type({ isbn: Isbn })

export interface NoCopyLeft {
  readonly _tag: 'NoCopyLeft'
  readonly isbn: string
}

export interface TooManyLoans {
  readonly _tag: 'TooManyLoans'
  readonly most: number
}

/** Why a book is not lent: the errors of the domain, which know nothing of HTTP. */
export type LendingError = NoSuchBook | NoCopyLeft | TooManyLoans
