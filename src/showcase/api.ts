/** The lending library: all of its operations in one tree, with what they need. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import {
  accessLog,
  health,
  jsonView,
  provide,
  requestId,
  routes,
  securityHeaders,
  timing,
  withFilter,
} from 'espalier'
import { lossless } from 'espalier/json'
import { activityRoutes, inProcessFeed } from './routes/activity.ts'
import { Public } from './domain/book.ts'
import { bookRoutes } from './routes/books.ts'
import { coversIn } from './domain/cover-store.ts'
import { coverRoutes } from './routes/covers.ts'
import { demoRoutes } from './routes/demo.ts'
import { descriptionRoutes } from './routes/descriptions.ts'
import { inMemoryDesk } from './domain/lending.ts'
import { directoryRoutes } from './routes/members.ts'
import { homeRoutes } from './routes/home.ts'
import { loanRoutes } from './routes/loans.ts'
import { knowsMembers } from './authentication.ts'
import { overridesMethod } from './method-override.ts'
import { reportRoutes } from './routes/reports.ts'
import { searchRoutes } from './routes/search.ts'
import { inMemoryShelf } from './domain/book-store.ts'
import { stock } from './domain/initial-books.ts'

export const library = () => {
  const shelf = inMemoryShelf(stock)
  return pipe(
    routes({
      home: homeRoutes,
      books: bookRoutes,
      search: searchRoutes,
      covers: coverRoutes,
      descriptions: descriptionRoutes,
      loans: loanRoutes,
      members: directoryRoutes,
      reports: reportRoutes,
      activity: activityRoutes,
      demo: demoRoutes,
      health: health({ readiness: { shelf: async () => (await shelf.all()).length > 0 } }),
    }),
    // what nobody says otherwise: the public sees what is public, and numbers keep their digits
    jsonView(Public),
    lossless,
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
