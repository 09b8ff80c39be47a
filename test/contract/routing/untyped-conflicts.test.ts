/** Declarations that contradict each other, as programs in JavaScript can contain them. Most of them are type errors in TypeScript. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as typed from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { issuesOf, pipe, untyped, withoutType } from './untyped.ts'

const {
  body,
  cache,
  compressed,
  cookie,
  del,
  form,
  get,
  handle,
  head,
  json,
  limits,
  noCache,
  path,
  permitAll,
  post,
  produces,
  rolesAllowed,
  routes,
  status,
  uncompressed,
} = untyped
const { html, text } = typed

const a = path('/a')
const Book = t.type({ title: t.string }, 'Book')
const handled = handle(() => undefined)

/** The issues of a server with one endpoint, without the code and the name of the route. */
const issuesWith = async (endpoint: unknown): Promise<ReadonlyArray<string>> =>
  (await issuesOf(() => withoutType(inMemory)(routes({ node: endpoint })))).map((issue) =>
    issue.replace(/^FW-ROUTE-005 .*?\(node\): /, ''),
  )

type Row = readonly [title: string, endpoint: unknown, issues: ReadonlyArray<string>]

const twice = (name: string, remedy = 'keep one') => [`${name} is declared twice: ${remedy}`]

const repeated: ReadonlyArray<Row> = [
  ['produces', pipe(a, get(), produces(text), produces(json(Book)), handled), twice('produces')],
  [
    'produces on a resource',
    pipe(a, produces(text), produces(html), get(), handled),
    twice('produces'),
  ],
  ['produces on both levels', pipe(a, produces(text), get(), produces(json(Book)), handled), []],
  ['no produces', pipe(a, get(), produces(text), produces(), handled), twice('produces')],
  ['status', pipe(a, post(), status(201), status(202), handled), twice('status')],
  ['status on both levels', pipe(a, status(201), post(), status(202), handled), []],
  [
    'cache',
    pipe(a, get(), cache({ maxAge: 1 }), noCache('Set-Cookie'), handled),
    twice('cache', 'merge the directives into one cache({ … })'),
  ],
  ['cache on both levels', pipe(a, cache({ maxAge: 1 }), get(), noCache(), handled), []],
  ['body', pipe(a, post(), body(text), body(json(Book)), handled), twice('the body')],
  [
    'limits',
    pipe(a, post(), limits({ timeout: 1 }), limits({ timeout: 2 }), handled),
    twice('limits({ timeout })'),
  ],
  ['equal limits', pipe(a, post(), limits({ files: 1 }), limits({ files: 1 }), handled), []],
  ['other limits', pipe(a, post(), limits({ files: 1 }), limits({ parts: 2 }), handled), []],
  [
    'limits on both levels',
    pipe(a, limits({ files: 1 }), post(), limits({ files: 2 }), handled),
    [],
  ],
  ['roles', pipe(a, get(), rolesAllowed('a'), permitAll, handled), twice('the access rule')],
  ['compression', pipe(a, get(), compressed, uncompressed, handled), twice('the compression')],
  ['compression on both levels', pipe(a, compressed, get(), uncompressed, handled), []],
]

const noBody = (name: string) => [
  `${name} requests cannot have a body: use post(), or remove the body with body()`,
]

const bodies: ReadonlyArray<Row> = [
  ['GET', pipe(a, get(), body(json(Book)), handled), noBody('GET')],
  ['GET with the body of its resource', pipe(a, body(text), get(), handled), noBody('GET')],
  ['HEAD', pipe(a, head(), body(text), handled), noBody('HEAD')],
  ['TRACE', pipe(a, typed.method('TRACE')(), body(text), handled), noBody('TRACE')],
  ['GET without the body of its resource', pipe(a, body(text), get(), body(), handled), []],
  ['DELETE', pipe(a, del(), body(text), handled), []],
  ['QUERY', pipe(a, typed.method('QUERY')(), body(text), handled), []],
]

/** Compares the issues of an endpoint, except for those of missing filters and repeated statuses. */
const check = async (_: string, endpoint: unknown, issues: ReadonlyArray<string>) =>
  assert.equal(
    (await issuesWith(endpoint)).filter((issue) => !/^FW-ACCESS|^FW-RESP/.test(issue)),
    issues,
  )

const unreachable: ReadonlyArray<Row> = [
  [
    'a method in lower case',
    pipe(a, typed.method('post')(), handled),
    ['FW-ROUTE-004 post /a  (node): invalid method "post": write POST'],
  ],
  ['another method in lower case', pipe(a, typed.method('purge')(), handled), []],
  [
    'a form in TRACE',
    pipe(a, typed.method('TRACE')(), form({ a: typed.string }), handled),
    ['TRACE requests cannot have a form'],
  ],
  [
    'a cookie with an equals sign',
    pipe(a, get(), cookie({ 'a=b': typed.string }), handled),
    ['FW-PARAM-001 GET /a  (node): invalid cookie name "a=b"'],
  ],
  ['a cookie with brackets', pipe(a, get(), cookie({ 'a[b] c': typed.string }), handled), []],
]

describe('untyped programs: conflicting declarations', (test) => {
  table<Row>(test, repeated, check)
  table<Row>(test, bodies, check)
  table<Row>(test, unreachable, check)
})
