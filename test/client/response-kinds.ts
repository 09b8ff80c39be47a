/** A service with all kinds of responses, and operations that return parts of the request. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  as,
  boolean,
  cookie,
  del,
  fails,
  get,
  handle,
  head,
  header,
  html,
  int,
  json,
  list,
  mapError,
  matrix,
  method,
  noContent,
  notFound,
  ok,
  optional,
  path,
  prefix,
  produces,
  query,
  queryMap,
  reply,
  requestFilter,
  responds,
  responseHeader,
  routes,
  seeOther,
  segments,
  separated,
  status,
  string,
  text,
  withFilter,
  withMapper,
} from '../../src/index.ts'

const Book = t.type({ title: t.string })
export const emma = { title: 'Emma' }
const Missing = t.type({ missing: t.string })
class GoneError extends Error {}

export const api = pipe(
  routes({
    find: pipe(
      path('/books/{isbn}'),
      get(),
      produces(json(Book)),
      fails(404, json(Missing)),
      fails(410),
      handle(({ path: { isbn } }) => {
        if (isbn === 'gone') return E.left(reply(410))
        if (isbn === 'defect') throw new GoneError('broken')
        return isbn === 'none' ? E.left({ missing: isbn }) : E.right(emma)
      }),
    ),
    numbered: pipe(
      path('/numbered/{n}', { n: int }),
      get(),
      query({ max: optional(int) }),
      produces(text),
      fails(404, json(Missing)),
      handle((input) => String(input.path.n)),
    ),
    list: pipe(
      path('/books'),
      get(),
      query({ tag: list(string), sort: separated(',')(list(string)), page: optional(int) }),
      queryMap,
      produces(json(t.unknown)),
      handle((input, { request }) => ok([request.query ?? '', [...input.queryMap]])),
    ),
    remove: pipe(
      path('/books/{isbn}'),
      del(),
      responds(204),
      handle(() => noContent),
    ),
    absent: pipe(
      path('/absent'),
      get(),
      produces(json(optional(Book))),
      handle(() => undefined),
    ),
    accepted: pipe(
      path('/accepted/{found}', { found: boolean }),
      get(),
      responds(202, json(optional(Book))),
      handle(({ path: { found } }) => (found ? emma : undefined)),
    ),
    nullable: pipe(
      path('/nullable'),
      get(),
      produces(json(t.union([Book, t.null]))),
      handle(() => null),
    ),
    lookup: pipe(
      path('/lookup'),
      get(),
      query({ found: int }),
      responds(200, text),
      responds(404, text),
      handle((input) => (input.query.found === 1 ? ok('yes') : notFound('no'))),
    ),
    probe: pipe(
      path('/probe'),
      head(),
      responseHeader('X-Probe', 'yes'),
      produces(text),
      handle(() => 'not sent'),
    ),
    redirect: pipe(
      path('/redirect'),
      get(),
      responds(303),
      handle(() => seeOther('/elsewhere')),
    ),
    pick: pipe(
      path('/pick'),
      get(),
      produces(as('text/plain;qs=0.5')(text), html),
      fails(409, json(Missing)),
      handle((_, { request }) => String(request.header('accept'))),
    ),
    fields: pipe(
      path('/fields'),
      get(),
      header({ xTrace: optional(string), accept: optional(string) }),
      cookie({ size: optional(string), 'a-b': list(string) }),
      produces(json(t.unknown)),
      handle((input, { request }) =>
        ok({
          ...input.header,
          ...input.cookie,
          cookies: request.header('cookie'),
          agent: request.header('user-agent'),
          authorization: request.header('authorization'),
          more: request.header('x-more'),
        }),
      ),
    ),
    cars: pipe(
      path('/cars/{rest}', { rest: segments(string) }),
      get(),
      matrix({ colour: list(string) }),
      produces(text),
      handle((input, { request }) => `${request.path} ${input.matrix.colour.join()}`),
    ),
    purge: pipe(
      path('/purge'),
      method('PURGE')(),
      responds(204),
      handle(() => noContent),
    ),
    deep: routes({
      deeper: routes({
        status: pipe(
          path('/deep'),
          get(),
          status(202),
          handle(() => {}),
        ),
      }),
    }),
    guarded: pipe(
      routes({
        find: pipe(
          path('/guarded/{caller}'),
          get(),
          produces(json(Book)),
          fails(403, text),
          handle((input) => {
            if (input.path.caller === 'broken') throw new GoneError('broken')
            return E.left('no loans')
          }),
        ),
      }),
      withFilter(
        requestFilter({ fails: { 401: text, 403: json(Missing) } }, ({ request }) => {
          if (request.path.endsWith('unknown')) return reply(421, 'undeclared')
          if (request.path.endsWith('anonymous')) return reply(401, 'no credentials')
          return request.path.endsWith('reader') ? reply(403, { missing: 'a role' }) : undefined
        }),
      ),
      withMapper(
        mapError(GoneError, { fails: { 410: json(Missing) } }, () =>
          reply(410, { missing: 'all' }),
        ),
      ),
    ),
  }),
  prefix('/api'),
)
