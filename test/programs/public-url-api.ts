/** A route tree that returns absolute URIs. In a module that workers can import, it runs on the event loop and, below `/worker`, on workers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Reply } from '../../src/index.ts'
import {
  Redirection,
  blocking,
  cors,
  created,
  get,
  handle,
  json,
  path,
  post,
  prefix,
  produces,
  responds,
  routes,
  seeOther,
  withFilter,
} from '../../src/index.ts'

const operations = routes({
  where: pipe(
    path('/where'),
    get(),
    produces(json(t.UnknownRecord)),
    handle((_, { uri, security }) => ({
      base: uri.base.href,
      absolute: uri.absolute.href,
      request: uri.request.href,
      resolved: uri.resolve('a').href,
      relative: uri.relativize('where/a'),
      path: uri.path,
      secure: security.secure,
    })),
  ),
  created: pipe(
    path('/created'),
    post(),
    responds(201),
    handle(() => created('new')),
  ),
  other: pipe(
    path('/other'),
    get(),
    responds(303),
    handle(() => seeOther('there?a')),
  ),
  thrown: pipe(
    path('/thrown'),
    get(),
    responds(204),
    handle((): Reply<204, void> => {
      throw new Redirection(307, 'there')
    }),
  ),
})

const withCors = withFilter(cors({ origins: ['https://other.example'] }))

export const api = pipe(operations, withCors)
export const blockingAndNonBlocking = pipe(
  routes({ operations, worker: pipe(operations, prefix('/worker'), blocking) }),
  withCors,
)
export const publicUrlModule = import.meta.url
