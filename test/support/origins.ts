/** A tree to ask from other origins, and what is seen of the answers. */
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../../src/index.ts'
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
} from '../../src/index.ts'

/** How often the endpoint has run. */
export const ran = { times: 0 }

const hello = pipe(
  path('/hello'),
  get(),
  query({ n: int }),
  produces(text),
  handle(() => {
    ran.times++
    return 'Hello'
  }),
)

/** The tree with a filter around it. */
export const answering = (filter: PlainFilter) =>
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
      defect: pipe(
        path('/defect'),
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
/** A request of a page of an origin. */
export const from = (Origin: string, more: Readonly<Record<string, string>> = {}): RequestInit => ({
  headers: { ...host, Origin, ...more },
})

/** The fields of the protocol that a response has. */
export const fieldsOf = ({ headers }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  )

/** What a browser asks before a request. */
export const asking = (method: string, headers?: string): Readonly<Record<string, string>> => ({
  'Access-Control-Request-Method': method,
  ...(headers === undefined ? {} : { 'Access-Control-Request-Headers': headers }),
})
