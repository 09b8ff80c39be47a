/**
 * The example application, a lending library. This module combines all operations into one tree and provides their
 * dependencies.
 */
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
  tags,
  timing,
  withFilter,
} from 'espalier'
import { lossless } from 'espalier/json'
import { openApiRoutes } from 'espalier/openapi'
import { activityRoutes, activityFeed } from './routes/activity.ts'
import { Public, coverDirectory, inMemoryBookStore, initialBooks } from './domain/book.ts'
import { bookRoutes } from './routes/books.ts'
import { coverRoutes } from './routes/covers.ts'
import { demoRoutes, homeRoutes } from './routes/home.ts'
import { descriptionRoutes } from './routes/descriptions.ts'
import { info } from './info.ts'
import { inMemoryLendingService } from './domain/lending.ts'
import { directoryRoutes } from './routes/members.ts'
import { loanRoutes } from './routes/loans.ts'
import { computerAuthentication, memberAuthentication } from './authentication.ts'
import { reportRoutes } from './routes/reports.ts'
import { searchRoutes } from './routes/search.ts'

/**
 * Overrides the method of a POST request with the value of the `X-HTTP-Method-Override` header. Clients that support
 * only GET and POST can thus use all operations.
 */
const methodOverride = preMatching(({ request }) => {
  const method = request.header('X-HTTP-Method-Override')
  return request.method === 'POST' && method !== undefined && overridable.includes(method)
    ? rewrite({ method })
    : undefined
})

const overridable = ['PUT', 'PATCH', 'DELETE']

/** Creates the tree with its own in-memory stores. Covers are stored in the directory `covers`. */
export const library = (covers: string = join(tmpdir(), 'espalier-library')) => {
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
      health: pipe(
        health({ readiness: { bookStore: async () => (await bookStore.all()).length > 0 } }),
        tags({ name: 'health', description: 'State of the service' }),
      ),
      docs: openApiRoutes({ info, servers: [{ url: '/' }] }),
    }),
    // defaults for all operations: the public view, and numbers of any precision
    jsonView(Public),
    lossless,
    withFilter(
      accessLog(),
      timing(),
      requestId(),
      securityHeaders(),
      methodOverride,
      memberAuthentication,
      computerAuthentication,
    ),
    provide({
      bookStore,
      lending: inMemoryLendingService(bookStore),
      covers: coverDirectory(covers),
      feed: activityFeed(),
    }),
  )
}

/** The tree served by `main.ts` and imported by workers. */
export const api = library()
