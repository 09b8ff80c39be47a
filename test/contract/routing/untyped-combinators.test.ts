/** Programs in JavaScript that pass values of wrong types to `pipe`, `routes` and `serve`. In TypeScript, these are type errors. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import * as typed from '../../../src/index.ts'
import { lossless } from '../../../src/json.ts'
import { rel } from '../../../src/links.ts'
import { describeRoutes, serve } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import type { Untyped } from './untyped.ts'
import { clientIssues, issuesOf, pipe, untyped, withoutType } from './untyped.ts'

const {
  body,
  cookie,
  cors,
  critical,
  fails,
  form,
  get,
  handle,
  header,
  implementAll,
  jsonView,
  limits,
  matrix,
  method,
  needs,
  nonBlocking,
  path,
  post,
  prefix,
  produces,
  provide,
  query,
  queryMap,
  reader,
  responseHeader,
  responds,
  routes,
  status,
  when,
  withFilter,
  withInterceptor,
  withMapper,
  withReader,
  withWriter,
} = untyped
const { int, text } = typed
const losslessStep = withoutType(lossless)

const handled = handle(() => 'a')
const a = path('/a')
const endpoint = pipe(a, get(), produces(text), handled)
const tree = routes({ endpoint })

/** Functions that create combinators, each applied to an endpoint as if `pipe` received the function itself. */
const notCalled = Object.entries({
  body,
  cookie,
  fails,
  form,
  get,
  handle,
  header,
  jsonView,
  limits,
  matrix,
  method,
  needs,
  post,
  produces,
  query,
  rel: withoutType(rel),
  responds,
  responseHeader,
  status,
  when,
})

describe('untyped programs: functions that are not called', (test) => {
  table(test, notCalled, async (name, combinator) => {
    const broken = routes({ broken: pipe(a, get(), combinator, handled) })
    assert.equal(await issuesOf(() => inMemory(broken)), [
      `FW-ROUTE-007 GET /a  (broken): ${name} is not called: write ${name}(…)`,
    ])
  })
  test('all errors of a tree are reported together', async () => {
    const broken = routes({
      one: pipe(a, get, produces(text), handled),
      two: pipe(a, get(), produces, handle),
      three: () => 'a',
    })
    assert.equal(await issuesOf(() => inMemory(broken)), [
      'FW-ROUTE-007 (no method) /a  (one): get is not called: write get(…)',
      'FW-ROUTE-007 GET /a  (two): produces is not called: write produces(…)',
      'FW-ROUTE-007 GET /a  (two): handle is not called: write handle(…)',
      'FW-ROUTE-008 three: expected an endpoint or a route tree, got a function',
    ])
  })
  test('a method with a name is reported with its name', async () => {
    const broken = routes({ purge: pipe(a, method('PURGE'), handled) })
    assert.equal(await issuesOf(() => inMemory(broken)), [
      'FW-ROUTE-007 (no method) /a  (purge): method("PURGE") is not called: write method("PURGE")(…)',
    ])
  })
})

const undefinedHint =
  'got undefined: do not call functions without parameters, such as critical, in pipe, and return a value from all other functions'

/** A title, a program, and a part of the expected issue. */
type Thrown = readonly [title: string, run: () => unknown, issue: string]

/** Programs for which `pipe` or a function throws the error, because no endpoint can record it. */
const thrown: ReadonlyArray<Thrown> = [
  [
    'prefix without a call',
    () => pipe(tree, prefix),
    ' prefix: prefix is not called: write prefix(…)',
  ],
  [
    'provide without a call',
    () => pipe(tree, provide),
    ' provide: provide is not called: write provide(…)',
  ],
  [
    'a prefix of an endpoint',
    () => pipe(endpoint, prefix('/a')),
    ' prefix: expected a route tree, got an endpoint: apply prefix to a tree, as in pipe(routes({ … }), prefix(…))',
  ],
  [
    'a query of a tree',
    () => pipe(tree, query({})),
    ' query: expected an endpoint, got a route tree: apply query to the endpoints of the tree',
  ],
  [
    'path without a call',
    () => pipe(path, get()),
    ' get: expected an endpoint, got a function: start with path(…)',
  ],
  [
    'an endpoint that starts with its method',
    () => pipe(get('/a'), produces(text)),
    ' produces: expected an endpoint, got a function: start with path(…)',
  ],
  [
    'an object codec instead of a record of codecs',
    () => query(t.type({ page: int })),
    ' query: expected a record, got the codec { page: int }: pass a record of codecs: query({ page: int })',
  ],
  [
    'a codec without a tag instead of a record of codecs',
    () => header(typed.uuid),
    ' header: expected a record, got the codec uuid: pass a record of codecs: header({ userAgent: string })',
  ],
  [
    'a schema instead of a record of codecs',
    () => cookie(z.object({ session: z.string() })),
    ' cookie: expected a record, got a Standard Schema: pass a record of codecs: cookie({ session: string })',
  ],
  [
    'names instead of a record of codecs',
    () => matrix(['colour']),
    ' matrix: expected a record, got an array: pass a record of codecs: matrix({ colour: string })',
  ],
  [
    'a representation instead of a record of codecs',
    () => form(typed.json(int)),
    ' form: expected a record, got a representation: pass a record of codecs: form({ title: string })',
  ],
  [
    'a list of slots',
    () => needs([typed.slot()('clock')]),
    ' needs: expected a record, got an array: pass a record of slots: needs({ clock: Clock })',
  ],
  [
    'a slot instead of a record of slots',
    () => needs(typed.slot()('clock')),
    ' needs: expected a record, got an object: pass a record of slots: needs({ clock: Clock })',
  ],
  [
    'a function that returns null',
    () => pipe(a, () => null, get()),
    ' get: expected an endpoint, got null',
  ],
  [
    'a function that returns nothing',
    () => pipe(a, () => {}, get()),
    ` get: expected an endpoint, ${undefinedHint}`,
  ],
  ['a call of queryMap', () => pipe(a, queryMap()), `: expected an endpoint, ${undefinedHint}`],
  [
    'a call of critical',
    () => pipe(a, critical()),
    `: expected an endpoint or a route tree, ${undefinedHint}`,
  ],
  [
    'a call of nonBlocking',
    () => pipe(a, nonBlocking()),
    `: expected an endpoint or a route tree, ${undefinedHint}`,
  ],
  [
    'a call of lossless',
    () => pipe(a, losslessStep()),
    `: expected an endpoint or a route tree, ${undefinedHint}`,
  ],
  [
    'a filter without a call',
    () => withFilter(cors),
    ' withFilter: expected a filter, got a function: wrap it in requestFilter(…) or responseFilter(…), or call it if it creates a filter',
  ],
  [
    'a function as a mapper',
    () => withMapper(() => undefined),
    ' withMapper: expected a mapper, got a function: wrap it in mapError(…) or mapTagged(…), or call it if it creates a mapper',
  ],
  [
    'a filter on an endpoint',
    () => pipe(endpoint, withFilter(cors({ origins: [] }))),
    ' withFilter: expected a route tree, got an endpoint: apply withFilter to a tree, as in pipe(routes({ … }), withFilter(…))',
  ],
  [
    'a missing mapper',
    () => withMapper(undefined),
    ' withMapper: expected a mapper, got undefined',
  ],
  [
    'a reader without a call',
    () => withReader(reader),
    ' withReader: expected a reader, got a function: wrap it in reader(…), or call it if it creates a reader',
  ],
  [
    'a text as a writer',
    () => withWriter('text/csv'),
    ' withWriter: expected a writer, got a string',
  ],
  [
    'a list of interceptors',
    () => withInterceptor([]),
    ' withInterceptor: expected an interceptor, got an array: pass its elements as arguments: withInterceptor(first, second)',
  ],
  [
    'a mapper as a filter',
    () => withFilter(typed.mapError(Error, () => typed.reply(500))),
    ' withFilter: expected a filter: use withMapper',
  ],
  [
    'a filter as a mapper',
    () => withMapper(cors({ origins: '*' })),
    ' withMapper: expected a mapper: use withFilter',
  ],
]

describe('untyped programs: errors thrown by pipe', (test) => {
  table<Thrown>(test, thrown, async (_, run, issue) =>
    assert.equal(await issuesOf(run), [`FW-ROUTE-007${issue}`]),
  )
})

/** A title, a value that is not a tree, and its description. */
type Root = readonly [title: string, root: unknown, description: string]

const roots: ReadonlyArray<Root> = [
  ['an endpoint', endpoint, 'an endpoint'],
  ['routes without a call', routes, 'a function'],
  ['undefined', undefined, 'undefined'],
  ['a record of endpoints', { endpoint }, 'an object'],
]

describe('untyped programs: values that are not trees', (test) => {
  table<Root>(test, roots, async (_, root, description) => {
    const expected = `expected a route tree, got ${description}: create a tree with routes({ … })`
    for (const use of [serve, inMemory, describeRoutes] as unknown as ReadonlyArray<Untyped>)
      assert.equal(await issuesOf(() => use(root)), [`FW-ROUTE-008 the root: ${expected}`])
    assert.equal(await issuesOf(() => implementAll(root, {})), [
      `FW-ROUTE-008 the contract: ${expected}`,
    ])
  })
  test('a client of an endpoint reports the contract', async () =>
    assert.equal(await clientIssues(endpoint), [
      'FW-CLIENT-004 the contract: expected a route tree: routes({ … })',
    ]))
  test('routes of an endpoint', async () =>
    assert.equal(await issuesOf(() => routes(endpoint)), [
      'FW-ROUTE-008 routes: expected a record of endpoints and route trees, got an endpoint: pass a record, as in routes({ getBook })',
    ]))
  test('routes of a list', async () =>
    assert.equal(await issuesOf(() => routes([endpoint])), [
      'FW-ROUTE-008 routes: expected a record of endpoints and route trees, got an array: pass a record, as in routes({ getBook })',
    ]))
  test('implementAll with an unknown operation', () =>
    assert.throws(
      () => implementAll(routes({ books: routes({ a, b: a }) }), { books: { c: () => 'a' } }),
      /^unknown operation books.c: expected a or b, or declare the operation in the contract$/,
    ))
  test('routes without a record', async () =>
    assert.equal(await issuesOf(() => routes()), [
      'FW-ROUTE-008 routes: expected a record of endpoints and route trees, got undefined: pass a record, as in routes({ getBook })',
    ]))
})
