/** Representations of a response that no value has in common, as programs in JavaScript can declare them. In TypeScript, handlers have a type error. */
import { type } from 'arktype'
import { Schema } from 'effect'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { z } from 'zod'
import { cbor } from '../../../src/cbor.ts'
import { hal } from '../../../src/hal.ts'
import * as typed from '../../../src/index.ts'
import { inMemory, testContext } from '../../../src/testing.ts'
import { xml } from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'
import { clientIssues, issuesOf, pipe, untyped, withoutType } from '../routing/untyped.ts'

const {
  fails,
  get,
  handle,
  json,
  jsonStream,
  path,
  post,
  produces,
  representation,
  requestFilter,
  responds,
  routes,
  withFilter,
  withMapper,
} = untyped
const {
  bytes,
  entity,
  file,
  formMap,
  html,
  int,
  list,
  multipartOutput,
  ndjson,
  optional,
  rawJson,
  sse,
  string,
  text,
} = typed

const a = path('/a')
const Book = t.type({ title: t.string }, 'Book')
const handled = handle(() => undefined)

/** The issues of a server with one endpoint, without the code and the name of the route. */
const issuesWith = async (endpoint: unknown): Promise<ReadonlyArray<string>> =>
  withoutTitles(await issuesOf(() => withoutType(inMemory)(routes({ node: endpoint }))))

const withoutTitles = (issues: ReadonlyArray<string>): ReadonlyArray<string> =>
  issues.map((issue) => issue.replace(/^FW-ROUTE-005 .*?\(node\): /, ''))

type Row = readonly [title: string, endpoint: unknown, issues: ReadonlyArray<string>]

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
  ['a number and a file', produced(json(int), file), disjoint('application/json', '*/*')],
  ['an object and a file', produced(file, json(Book)), disjoint('*/*', 'application/json')],
  [
    'a stream as text',
    produced(typed.as('a/b')(jsonStream(string)), text),
    disjoint('a/b', 'text/plain'),
  ],
  [
    'an object as a stream of values',
    produced(json(Book), ndjson(Book)),
    disjoint('application/json', 'application/x-ndjson'),
  ],
  [
    'an object as events',
    produced(json(Book), sse(Book)),
    disjoint('application/json', 'text/event-stream'),
  ],
  [
    'text as a stream of text',
    produced(text, typed.as('a/b')(typed.textStream)),
    disjoint('text/plain', 'a/b'),
  ],
  [
    'bytes as a stream of bytes',
    produced(bytes, typed.as('a/b')(typed.byteStream)),
    disjoint('application/octet-stream', 'a/b'),
  ],
  [
    'an object as a form',
    produced(json(Book), formMap),
    disjoint('application/json', 'application/x-www-form-urlencoded'),
  ],
  [
    'text as a form',
    produced(text, formMap),
    disjoint('text/plain', 'application/x-www-form-urlencoded'),
  ],
  [
    'an object as a list of parts',
    produced(json(Book), multipartOutput),
    disjoint('application/json', 'multipart/form-data'),
  ],
  [
    'text as declared parts',
    produced(text, multipartOutput({ title: t.string })),
    disjoint('text/plain', 'multipart/form-data'),
  ],
  [
    'an object as CBOR and text',
    produced(cbor(Book), text),
    disjoint('application/cbor', 'text/plain'),
  ],
  ['an entity as text', produced(entity(Book), text), disjoint('*/*', 'text/plain')],
  [
    'any list as text',
    produced(json(t.UnknownArray), text),
    disjoint('application/json', 'text/plain'),
  ],
  [
    'any record as text',
    produced(json(t.UnknownRecord), text),
    disjoint('application/json', 'text/plain'),
  ],
  [
    'values that can be missing',
    produced(json(optional(Book)), optional(string)),
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
  ['a stream and a list', produced(json(list(Book)), ndjson(Book)), []],
  ['a path of a file as text', produced(file, text), []],
  [
    'an object and its declared parts',
    produced(json(Book), multipartOutput({ title: t.string })),
    [],
  ],
  ['a map in two media types', produced(formMap, typed.as('a/b')(formMap)), []],
  ['an entity in a declared form', produced(entity(Book), json(Book)), []],
  ['streams of the same elements', produced(ndjson(Book), sse(Book), jsonStream(Book)), []],
  [
    'null and a value that can be null',
    produced(json(t.null), xml(t.union([t.null, t.string]))),
    [],
  ],
  ['a transformed string of zod', produced(json(z.string().transform(Number)), int), []],
  ['a date of zod', produced(csv, typed.as('a/c')(typed.json(z.date()))), []],
  ['a string of valibot', produced(json(v.string()), text), []],
  ['a number of effect', produced(json(Schema.toStandardSchemaV1(Schema.Number)), int), []],
]

const either = produces(json(Book), text)
const select = (response: typed.ResponseFields) =>
  response.contentType === 'application/json' ? { title: 'Emma' } : 'Emma'

type Selecting = readonly [title: string, handler: unknown]

/** Handlers that depend on the selected representation. They cannot declare it, so that their parameters do not matter. */
const selecting: ReadonlyArray<Selecting> = [
  ['a context', (_: unknown, { response }: typed.Context) => select(response)],
  [
    'a default parameter',
    (_: unknown, { response }: typed.Context = testContext()) => select(response),
  ],
  ['rest parameters', (...[, { response }]: [unknown, typed.Context]) => select(response)],
]

const addsHeaders = typed.responseFilter(typed.withHeader('X-A', 'a'))
const replaces = typed.responseFilter((reply) => ({ ...reply, body: 'Emma' }))
const failing = (options: object) =>
  withMapper(typed.mapError(Error, options, () => typed.notFound()))
const failures = fails(404, json(Book), text)

/** Compares the issues of an endpoint, except for those of missing filters and repeated statuses. */
const check = async (_: string, endpoint: unknown, issues: ReadonlyArray<string>) =>
  assert.equal(
    (await issuesWith(endpoint)).filter((issue) => !/^FW-ACCESS|^FW-RESP/.test(issue)),
    issues,
  )

describe('untyped programs: representations without a common value', (test) => {
  table<Row>(test, alternatives, check)
  table<Selecting>(test, selecting, async (_, handler) =>
    assert.equal(
      await issuesWith(pipe(a, get(), either, handle(handler))),
      disjoint('application/json', 'text/plain'),
    ),
  )
  table<readonly [title: string, scope: unknown, step: unknown, issues: ReadonlyArray<string>]>(
    test,
    [
      [
        'a response filter that adds headers',
        withFilter(addsHeaders),
        either,
        disjoint('application/json', 'text/plain'),
      ],
      [
        'a response filter that replaces the body',
        withFilter(replaces),
        either,
        disjoint('application/json', 'text/plain'),
      ],
      [
        'a failure below a mapper of other failures',
        failing({ fails: { 409: text } }),
        failures,
        disjoint('application/json', 'text/plain'),
      ],
      [
        'a failure below a filter that adds headers',
        withFilter(addsHeaders),
        failures,
        disjoint('application/json', 'text/plain'),
      ],
      [
        'a failure of a mapper',
        failing({ fails: { 404: [json(int), text] } }),
        produces(text),
        disjoint('application/json', 'text/plain'),
      ],
      [
        'a failure of a request filter',
        withFilter(requestFilter({ fails: { 404: [json(Book), bytes] } }, () => undefined)),
        produces(text),
        disjoint('application/json', 'application/octet-stream'),
      ],
      [
        'a failure that a mapper declares, too',
        failing({ fails: { 404: json(Book) } }),
        failures,
        [],
      ],
    ],
    async (_, scope, step, issues) => {
      const api = pipe(routes({ node: pipe(a, get(), step, handled) }), scope)
      assert.equal(withoutTitles(await issuesOf(() => withoutType(inMemory)(api))), issues)
    },
  )
  test('a client accepts a contract of another service', async () =>
    assert.equal(await clientIssues(routes({ node: pipe(a, get(), either) })), []))
})
