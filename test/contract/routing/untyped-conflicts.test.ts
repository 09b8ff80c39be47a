/** Declarations that contradict each other, as programs in JavaScript can contain them. Most of them are type errors in TypeScript. */
import { type } from 'arktype'
import { Schema } from 'effect'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { z } from 'zod'
import { cbor } from '../../../src/cbor.ts'
import { hal } from '../../../src/hal.ts'
import * as typed from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { xml } from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'
import { clientIssues, issuesOf, pipe, untyped, withoutType } from './untyped.ts'

const {
  body,
  cache,
  compressed,
  del,
  fails,
  get,
  handle,
  head,
  json,
  jsonStream,
  limits,
  noCache,
  path,
  permitAll,
  post,
  produces,
  representation,
  responds,
  rolesAllowed,
  routes,
  status,
  uncompressed,
  withFilter,
  withMapper,
} = untyped
const { bytes, file, html, int, list, optional, rawJson, string, text } = typed

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

const disjoint = (...types: ReadonlyArray<string>) => [
  `no value has all of the representations ${types.join(', ')}: replace one by representation({ mediaType, write })`,
]

const csv = representation({ mediaType: 'text/csv', write: String })
const produced = (...alternatives: ReadonlyArray<unknown>) =>
  pipe(a, get(), produces(...alternatives), handled)

/** Representations of a response, and whether the declaration is rejected. */
const alternatives: ReadonlyArray<Row> = [
  ['an object as text', produced(json(Book), text), disjoint('application/json', 'text/plain')],
  ['an object as HTML', produced(html, json(Book)), disjoint('text/html', 'application/json')],
  [
    'an object as bytes',
    produced(json(Book), bytes),
    disjoint('application/json', 'application/octet-stream'),
  ],
  ['a number as text', produced(json(int), text), disjoint('application/json', 'text/plain')],
  [
    'a list as text',
    produced(json(list(string)), text),
    disjoint('application/json', 'text/plain'),
  ],
  [
    'an object and a list',
    produced(json(Book), typed.as('application/x')(typed.json(list(Book)))),
    disjoint('application/json', 'application/x'),
  ],
  [
    'a constrained and an optional object',
    produced(json(t.readonly(t.exact(Book))), text, xml(Book)),
    disjoint('application/json', 'text/plain', 'application/xml'),
  ],
  [
    'a literal and a number',
    produced(json(t.literal('a')), int),
    disjoint('application/json', 'text/plain'),
  ],
  [
    'an object of zod',
    produced(json(z.object({ a: z.string() })), text),
    disjoint('application/json', 'text/plain'),
  ],
  [
    'an object of arktype',
    produced(json(type({ a: 'string' })), text),
    disjoint('application/json', 'text/plain'),
  ],
  [
    'a declared success',
    pipe(a, post(), responds(201, json(Book), text), handled),
    disjoint('application/json', 'text/plain'),
  ],
  [
    'a declared failure',
    pipe(a, get(), fails(404, json(Book), text), handled),
    disjoint('application/json', 'text/plain'),
  ],
  [
    'a string as JSON and text',
    produced(json(t.string), text, html, typed.as('application/x+json')(rawJson)),
    [],
  ],
  ['a number as JSON and text', produced(json(int), int), []],
  ['an object in several formats', produced(json(Book), xml(Book), hal(Book), cbor(Book), csv), []],
  ['lists with and without links', produced(json(list(Book)), hal(list(Book))), []],
  ['a union with a string', produced(json(t.union([Book, t.string])), text), []],
  ['an optional string', produced(json(optional(string)), text), []],
  ['an unknown value', produced(json(t.unknown), text), []],
  ['an opaque codec', produced(json(typed.instant), text), []],
  [
    'objects with other members',
    produced(json(Book), typed.as('a/b')(typed.json(t.type({ id: int })))),
    [],
  ],
  ['a stream and a list', produced(json(list(Book)), typed.ndjson(Book)), []],
  ['a stream and text', produced(jsonStream(string), text), []],
  ['a file', produced(json(int), file), []],
  ['a transformed string of zod', produced(json(z.string().transform(Number)), int), []],
  ['a date of zod', produced(csv, typed.as('a/c')(typed.json(z.date()))), []],
  ['a string of valibot', produced(json(v.string()), text), []],
  ['a number of effect', produced(json(Schema.toStandardSchemaV1(Schema.Number)), int), []],
]

/** Compares the issues of an endpoint, except for those of missing filters and repeated statuses. */
const check = async (_: string, endpoint: unknown, issues: ReadonlyArray<string>) =>
  assert.equal(
    (await issuesWith(endpoint)).filter((issue) => !/^FW-ACCESS|^FW-RESP/.test(issue)),
    issues,
  )

describe('untyped programs: conflicting declarations', (test) => {
  table<Row>(test, repeated, check)
  table<Row>(test, bodies, check)
  table<Row>(test, alternatives, check)

  const either = produces(json(Book), text)
  test('a handler with a context can return a value for each representation', async () =>
    assert.equal(
      await issuesWith(
        pipe(
          a,
          get(),
          either,
          // a second parameter
          handle((_: unknown, { response }: typed.Context) =>
            response.contentType === 'application/json' ? { title: 'Emma' } : 'Emma',
          ),
        ),
      ),
      [],
    ))
  test('a response filter can return a value for each representation', async () => {
    const api = pipe(
      routes({ node: pipe(a, get(), either, handled) }),
      withFilter(typed.responseFilter(() => undefined)),
    )
    assert.equal(await issuesOf(() => withoutType(inMemory)(api)), [])
  })
  test('a mapper can return a failure for each representation', async () => {
    const api = pipe(
      routes({ node: pipe(a, get(), fails(404, json(Book), text), handled) }),
      withMapper(
        typed.mapError(
          (error): error is Error => error instanceof Error,
          () => typed.notFound(),
        ),
      ),
    )
    assert.equal(await issuesOf(() => withoutType(inMemory)(api)), [])
  })
  test('a client accepts a contract of another service', async () =>
    assert.equal(await clientIssues(routes({ node: pipe(a, get(), either) })), []))
})
