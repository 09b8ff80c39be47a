/** Operations on loans. `lendingErrors` maps domain errors to replies. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  authenticated,
  body,
  created,
  del,
  example,
  get,
  handle,
  int,
  json,
  mapTagged,
  needs,
  noContent,
  NotFound,
  path,
  post,
  produces,
  raises,
  reply,
  responds,
  routes,
  withFilter,
  withMapper,
  description,
  summary,
  tags,
  text,
} from 'espalier'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { hal } from 'espalier/hal'
import { injectLinks, rel } from 'espalier/links'
import { exampleBook, NoSuchBook } from '../domain/book.ts'
import { Feed } from './activity.ts'
import { LendingService, Loan, Loans, LoanRequest } from '../domain/lending.ts'
import type { LendingError } from '../domain/lending.ts'
import { CurrentMember, provideMember } from '../authentication.ts'

const loans = pipe(
  path('/loans'),
  authenticated,
  needs({ lending: LendingService, member: CurrentMember, feed: Feed }),
  rel(undefined, { entity: Loan }),
  injectLinks('instance'),
)

const exampleLoan: Loan = { id: 1, isbn: exampleBook.isbn, member: 'ann' }

export const listLoans = pipe(
  loans,
  get(),
  summary('List the loans of the caller'),
  produces(json(Loans), hal(Loans, { collection: 'loans' })),
  example('loans', [exampleLoan]),
  handle(({ needs: { lending, member } }) => lending.loansOf(member.name)),
)

export const lendBook = pipe(
  loans,
  post(),
  summary('Lend a book'),
  description('The status is 409 if all copies are on loan, or if the caller has three loans.'),
  body(json(LoanRequest)),
  responds(201, json(Loan), hal(Loan)),
  example('book', { isbn: exampleBook.isbn }, { in: 'request' }),
  example('loan', exampleLoan, { status: 201 }),
  raises<LendingError>(),
  handle(({ body: { isbn }, needs: { lending, member, feed } }) =>
    pipe(
      lending.lend(isbn, member.name),
      TE.tapTask(() => () => feed.publish({ what: 'lent', isbn })),
      TE.map((loan) => created(`/loans/${loan.id}`, loan)),
    ),
  ),
)

export const giveBack = pipe(
  loans,
  del('/{id}', { id: int }),
  summary('Return a book'),
  responds(204),
  handle(async ({ path: { id }, needs: { lending, member, feed } }) => {
    const loan = lending.giveBack(id, member.name)
    if (loan === undefined) return new NotFound('no such loan')
    await feed.publish({ what: 'returned', isbn: loan.isbn })
    return noContent
  }),
)

/** Maps each domain error to a reply. Serving a tree in which a raised error has no mapper is a compile-time error. */
const lendingErrors = mapTagged<LendingError>()(
  { fails: { 404: json(NoSuchBook), 409: text } },
  {
    NoSuchBook: (error) => reply(404, error),
    NoCopyLeft: ({ isbn }) => reply(409, `All copies of ${isbn} are on loan.`),
    TooManyLoans: ({ maximum }) => reply(409, `A member may have at most ${maximum} loans.`),
  },
)

export const loanRoutes = pipe(
  routes({ listLoans, lendBook, giveBack }),
  withMapper(lendingErrors),
  withFilter(provideMember),
  tags({ name: 'loans', description: 'Loans of the authenticated member' }),
)
