/**
 * Creates the document of a tree with 1,000 endpoints, in four kinds as in the type benchmark. Prints, as JSON, the time in ms that
 * the tree takes to compile and the time that the document takes, and its length in characters.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  as,
  body,
  cache,
  del,
  fails,
  get,
  handle,
  header,
  int,
  json,
  list,
  number,
  optional,
  path,
  post,
  produces,
  query,
  responds,
  routes,
  withDefault,
} from '../../dist/espalier/index.js'
import { openApi } from '../../dist/espalier/openapi.js'

const User = t.type({ id: t.number, name: t.string, tags: t.array(t.string) }, 'User')
const Missing = t.type({ _tag: t.literal('Missing'), id: t.number }, 'Missing')
const Bad = t.type({ _tag: t.literal('Bad') }, 'Bad')
const paging = query({ page: withDefault(int, 1), size: withDefault(int, 20) })
const users = json(t.array(User))
const handler = handle(() => undefined)

/** @type {readonly ((name: string, n: number) => unknown)[]} */
const kinds = [
  (name, n) =>
    pipe(
      path(`/${name}/{id}`, { id: int }),
      get('/{name:[a-z]+}'),
      query({ page: withDefault(int, 1), size: withDefault(int, 20), q: optional(t.string) }),
      header({ 'x-trace': optional(t.string) }),
      produces(json(User)),
      fails(404, json(Missing)),
      cache({ maxAge: n }),
      handler,
    ),
  (name, n) =>
    pipe(
      path(`/${name}`),
      post(),
      body(json(t.type({ a: t.string, b: t.number, [`c${n}`]: t.array(t.string) }))),
      responds(201, json(User)),
      fails(400, json(Bad)),
      fails(409, json(Missing)),
      handler,
    ),
  (name) =>
    pipe(
      path(`/${name}/{id}`, { id: int }),
      del(),
      responds(204),
      fails(404, json(Missing)),
      handler,
    ),
  (name, n) =>
    pipe(
      path(`/${name}`),
      get(),
      paging,
      query({ [`tag${n}`]: list(t.string), since: optional(number) }),
      produces(users, as('application/vnd.users+json')(users)),
      handler,
    ),
]

/** @type {<A>(length: number, create: (index: number) => A) => readonly A[]} */
const times = (length, create) => Array.from({ length }, (_, index) => create(index))

const api = routes(
  Object.fromEntries(
    times(50, (m) => [
      `m${m}`,
      routes(
        Object.fromEntries(
          times(20, (n) => [`m${m}e${n}`, kinds[n % kinds.length]?.(`m${m}e${n}`, n)]),
        ),
      ),
    ]),
  ),
)
const begin = performance.now()
const document = openApi(api, { info: { title: 'Benchmark', version: '1.0.0' } })
const milliseconds = performance.now() - begin
const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.keys(item)).length
if (operations !== 1_000) throw new Error(`expected 1,000 operations, got ${operations}`)
console.log(JSON.stringify({ milliseconds, characters: JSON.stringify(document).length }))
