/** A tree for CORS tests, and helpers that create requests and read the CORS headers of responses. */
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../../../src/index.ts'
import {
  body,
  Conflict,
  get,
  handle,
  int,
  path,
  post,
  produces,
  put,
  query,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'

/** Number of times that the handler has run. */
export const handlerRuns = { count: 0 }

const hello = pipe(
  path('/hello'),
  get(),
  query({ n: int }),
  produces(text),
  handle(() => {
    handlerRuns.count++
    return 'Hello'
  }),
)

/** The tree with `filter`. */
export const treeWith = (filter: PlainFilter) =>
  pipe(
    routes({
      hello,
      store: pipe(
        path('/hello'),
        put(),
        body(text),
        handle(() => undefined),
      ),
      posted: pipe(
        path('/hello'),
        post(),
        handle(() => undefined),
      ),
      conflict: pipe(
        path('/conflict'),
        get(),
        produces(text),
        handle((): string => {
          throw new Conflict('lock 7')
        }),
      ),
      broken: pipe(
        path('/broken'),
        get(),
        produces(text),
        handle((): string => {
          throw new Error('broken')
        }),
      ),
    }),
    withFilter(filter),
  )

export const host = { Host: 'service.test' }
/** A cross-origin request from a page of `Origin`. */
export const requestFrom = (
  Origin: string,
  headers: Readonly<Record<string, string>> = {},
): RequestInit => ({
  headers: { ...host, Origin, ...headers },
})

/** The CORS headers and `Vary` of a response. */
export const corsHeadersOf = ({ headers }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  )

/** Headers of a preflight request. */
export const preflightHeaders = (
  method: string,
  headers?: string,
): Readonly<Record<string, string>> => ({
  'Access-Control-Request-Method': method,
  ...(headers === undefined ? {} : { 'Access-Control-Request-Headers': headers }),
})
