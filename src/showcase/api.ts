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
import { activityRoutes, activityFeed } from './routes/activity.ts'
import { Public } from './domain/book.ts'
import { bookRoutes } from './routes/books.ts'
import { coverDirectory } from './domain/cover-store.ts'
import { coverRoutes } from './routes/covers.ts'
import { demoRoutes } from './routes/demo.ts'
import { descriptionRoutes } from './routes/descriptions.ts'
import { inMemoryLendingService } from './domain/lending.ts'
import { directoryRoutes } from './routes/members.ts'
import { homeRoutes } from './routes/home.ts'
import { loanRoutes } from './routes/loans.ts'
import { memberAuthentication } from './authentication.ts'
import { methodOverride } from './method-override.ts'
import { reportRoutes } from './routes/reports.ts'
import { searchRoutes } from './routes/search.ts'
import { inMemoryBookStore } from './domain/book-store.ts'
import { initialBooks } from './domain/initial-books.ts'

export const library = () => {
  const shelf = inMemoryBookStore(initialBooks)
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
      methodOverride,
      memberAuthentication,
    ),
    provide({
      shelf,
      desk: inMemoryLendingService(shelf),
      covers: coverDirectory(join(tmpdir(), 'espalier-library')),
      feed: activityFeed(),
    }),
  )
}

/** The library that is served, and that workers import. */
export const api = library()
