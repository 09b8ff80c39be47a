/** The entry point for clients that follow links. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { get, handle, path, produces, routes } from 'espalier'
import { addLinks, hal, halEntity } from 'espalier/hal'
import { linksOf } from 'espalier/links'
import { Book } from '../domain/book.ts'
import { Member } from './members.ts'
import { Loan } from '../domain/loan.ts'

const Home = t.type({ library: t.string }, 'Home')

export const openHome = pipe(
  path('/'),
  get(),
  produces(hal(Home)),
  handle((_, context) => {
    const listsOf = (codec: t.Mixed, rel: string) =>
      linksOf(context)
        .type(codec)
        .filter((link) => link.rel === 'list')
        .map(({ target }) => ({ rel, target }))
    return pipe(
      halEntity({ library: 'a lending library' }),
      addLinks(...listsOf(Book, 'books'), ...listsOf(Loan, 'loans'), ...listsOf(Member, 'members')),
    )
  }),
)

export const homeRoutes = routes({ openHome })
