/** The example application: a lending library. All operations in one tree, with their dependencies. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import {
  accessLog,
  health,
  jsonView,
  preMatching,
  provide,
  requestId,
  rewrite,
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
import { reportRoutes } from './routes/reports.ts'
import { searchRoutes } from './routes/search.ts'
import { inMemoryBookStore } from './domain/book-store.ts'
import { initialBooks } from './domain/initial-books.ts'

/** Lets clients that only support GET and POST send other methods in `X-HTTP-Method-Override`. */
const methodOverride = preMatching(({ request }) => {
  const method = request.header('X-HTTP-Method-Override')
  return request.method === 'POST' && method !== undefined && overridable.includes(method)
    ? rewrite({ method })
    : undefined
})

const overridable = ['PUT', 'PATCH', 'DELETE']

export const library = () => {
  const bookStore = inMemoryBookStore(initialBooks)
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
      health: health({ readiness: { bookStore: async () => (await bookStore.all()).length > 0 } }),
    }),
    // defaults of all operations: the public view, and numbers of any precision
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
      bookStore,
      lending: inMemoryLendingService(bookStore),
      covers: coverDirectory(join(tmpdir(), 'espalier-library')),
      feed: activityFeed(),
    }),
  )
}

/** The tree that `main.ts` serves and that workers import. */
export const api = library()
