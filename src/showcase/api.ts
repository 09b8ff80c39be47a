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
import { activityRoutes, inProcessFeed } from './activity.ts'
import { Public } from './book.ts'
import { bookRoutes } from './books.ts'
import { coversIn } from './cover-store.ts'
import { coverRoutes } from './covers.ts'
import { demoRoutes } from './demo.ts'
import { descriptionRoutes } from './descriptions.ts'
import { inMemoryDesk } from './desk.ts'
import { directoryRoutes } from './directory.ts'
import { homeRoutes } from './home.ts'
import { loanRoutes } from './loans.ts'
import { knowsMembers } from './members.ts'
import { overridesMethod } from './override.ts'
import { reportRoutes } from './reports.ts'
import { searchRoutes } from './search.ts'
import { inMemoryShelf } from './shelf.ts'
import { stock } from './stock.ts'

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
