/** The lending library: all of its operations in one tree, with what they need. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import {
  accessLog,
  health,
  provide,
  requestId,
  routes,
  securityHeaders,
  timing,
  withFilter,
} from 'espalier'
import { activityRoutes, inProcessFeed } from './activity.ts'
import type { Book } from './book.ts'
import { bookRoutes } from './books.ts'
import { coversIn } from './cover-store.ts'
import { coverRoutes } from './covers.ts'
import { demoRoutes } from './demo.ts'
import { descriptionRoutes } from './descriptions.ts'
import { inMemoryDesk } from './desk.ts'
import { loanRoutes } from './loans.ts'
import { knowsMembers } from './members.ts'
import { overridesMethod } from './override.ts'
import { reportRoutes } from './reports.ts'
import { inMemoryShelf } from './shelf.ts'

const stock: ReadonlyArray<Book> = [
  {
    isbn: '9780262510875',
    title: 'Structure and Interpretation of Computer Programs',
    author: 'Abelson',
    published: 1985,
    copies: 2,
    tags: ['lisp'],
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

export const library = () => {
  const shelf = inMemoryShelf(stock)
  return pipe(
    routes({
      books: bookRoutes,
      covers: coverRoutes,
      descriptions: descriptionRoutes,
      loans: loanRoutes,
      reports: reportRoutes,
      activity: activityRoutes,
      demo: demoRoutes,
      health: health({ readiness: { shelf: async () => (await shelf.all()).length > 0 } }),
    }),
    withFilter(
      accessLog(),
      timing(),
      requestId(),
      securityHeaders(),
      overridesMethod,
      knowsMembers,
    ),
    provide({
      shelf,
      desk: inMemoryDesk(shelf),
      covers: coversIn(join(tmpdir(), 'espalier-library')),
      feed: inProcessFeed(),
    }),
  )
}

/** The library that is served, and that workers import. */
export const api = library()
