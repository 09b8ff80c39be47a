/** Programs in JavaScript that declare codecs and representations of wrong types. In TypeScript, these are type errors. */
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as typed from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { clientIssues, issuesOf, pipe, untyped } from './untyped.ts'

const {
  body,
  cookie,
  fails,
  form,
  get,
  handle,
  header,
  json,
  list,
  matrix,
  multipartOutput,
  path,
  post,
  produces,
  query,
  responds,
  routes,
} = untyped
const { string, text } = typed

const handled = handle(() => 'a')
const a = path('/a')
const endpoint = pipe(a, get(), produces(text), handled)
const Book = t.type({ title: t.string }, 'Book')

/** A title, a function that returns a child of a tree, and the expected issues. */
type Row = readonly [title: string, make: () => unknown, issues: ReadonlyArray<string>]

const Shelf: t.Mixed = t.recursion('Shelf', () => t.type({ inner: t.array(Shelf) }, 'Shelf'))
const noText =
  'cannot be written as text: use a codec for a single value, or for a list of single values'
const noValue = 'is not a single value: declare a representation, such as json(codec)'

/** A title, an endpoint, and the issues that servers and clients report, without the name of the route. */
const declarations: ReadonlyArray<Row> = [
  [
    'an object in a query',
    () => pipe(a, get(), query({ book: Book }), handled),
    [`FW-PARAM-002 query parameter "book": Book ${noText}`],
  ],
  [
    'a list of objects in a query',
    () => pipe(a, get(), query({ books: list(Book) }), handled),
    [`FW-PARAM-002 query parameter "books": list of Book ${noText}`],
  ],
  [
    'a list of lists in a query',
    () => pipe(a, get(), query({ books: list(list(string)) }), handled),
    [`FW-PARAM-002 query parameter "books": list of list of string ${noText}`],
  ],
  [
    'an optional object in a header',
    () => pipe(a, get(), header({ book: typed.optional(Book) }), handled),
    [`FW-PARAM-002 header parameter "book": Book or undefined ${noText}`],
  ],
  [
    'a union with an object in a cookie',
    () => pipe(a, get(), cookie({ book: t.union([t.string, Book], 'Title') }), handled),
    [`FW-PARAM-002 cookie parameter "book": Title ${noText}`],
  ],
  [
    'an intersection of objects in a matrix parameter',
    () => pipe(a, get(), matrix({ book: t.intersection([Book, t.partial({})], 'Both') }), handled),
    [`FW-PARAM-002 matrix parameter "book": Both ${noText}`],
  ],
  [
    'a recursive object in a form',
    () => pipe(a, post(), form({ shelf: Shelf }), handled),
    [`FW-PARAM-002 form parameter "shelf": Shelf ${noText}`],
  ],
  [
    'a record in a query',
    () => pipe(a, get(), query({ counts: t.record(t.string, t.number, 'Counts') }), handled),
    [`FW-PARAM-002 query parameter "counts": Counts ${noText}`],
  ],
  [
    'an object with a codec that changes a member in a query',
    () => pipe(a, get(), query({ due: t.strict({ due: typed.plainDate }, 'Due') }), handled),
    [`FW-PARAM-002 query parameter "due": Due ${noText}`],
  ],
  [
    'an object in a path',
    () => pipe(path('/a/{book}', { book: Book }), get(), handled),
    [`FW-PARAM-002 path parameter "book": Book ${noText}`],
  ],
  [
    'a list in a path',
    () => pipe(path('/a/{tags}', { tags: list(string) }), get(), handled),
    [
      'FW-PARAM-002 path parameter "tags": list of string has multiple values: use segments(…) for multiple path segments',
    ],
  ],
  [
    'a missing codec',
    () => pipe(a, get(), query({ page: undefined }), handled),
    [
      'FW-PARAM-002 query parameter "page": expected a codec, got undefined: use a codec, such as int or string',
    ],
  ],
  [
    'a function as a codec',
    () => pipe(a, get(), query({ page: Number }), handled),
    [
      'FW-PARAM-002 query parameter "page": expected a codec, got a function: use a codec, such as int or string',
    ],
  ],
  [
    'a name as a codec',
    () => pipe(a, get(), query({ page: 'int' }), handled),
    [
      'FW-PARAM-002 query parameter "page": expected a codec, got a string: use a codec, such as int or string',
    ],
  ],
  [
    'a record as a codec',
    () => pipe(a, get(), query({ page: { from: typed.int } }), handled),
    [
      'FW-PARAM-002 query parameter "page": expected a codec, got an object: use a codec, such as int or string',
    ],
  ],
  [
    'a representation as a codec',
    () => pipe(a, get(), query({ page: text }), handled),
    [
      'FW-PARAM-002 query parameter "page": expected a codec, got a representation: use the codec of a single value or of a list of single values, without a representation',
    ],
  ],
  [
    'a representation as a form field',
    () => pipe(a, post(), form({ book: json(Book) }), handled),
    [
      'FW-PARAM-002 form parameter "book": expected a codec, got a representation: wrap it in part(…), as in part(json(codec))',
    ],
  ],
  [
    'a form part in a query',
    () => pipe(a, post(), query({ file: typed.upload }), handled),
    [
      'FW-PARAM-002 query parameter "file": expected a codec, got a form part: declare it with form(…)',
    ],
  ],
  [
    'a form part in a path',
    () => pipe(path('/a/{file}', { file: typed.upload }), post(), handled),
    [
      'FW-PARAM-002 path parameter "file": expected a codec, got a form part: declare it with form(…)',
    ],
  ],
  [
    'a codec for an unknown variable',
    () => pipe(path('/a/{id}', { ident: typed.int }), get(), handled),
    ['FW-PARAM-001 /a/{id} has no variable {ident}: add it to the template or remove the codec'],
  ],
  [
    'an object codec instead of a record of codecs',
    () => pipe(path('/a/{id}', t.type({ id: typed.int })), get(), handled),
    ["FW-PARAM-001 pass a record of codecs, as in path('/books/{id}', { id: int })"],
  ],
  [
    'a codec for an unknown variable of an operation',
    () => pipe(path('/a/{id}'), get('/b', { id: typed.int }), handled),
    ['FW-PARAM-001 /b has no variable {id}: add it to the template or remove the codec'],
  ],
  [
    'an object as a produced body',
    () => pipe(a, get(), produces(Book), handled),
    [`FW-MEDIA-003 Book ${noValue}`],
  ],
  [
    'a list as a produced body',
    () => pipe(a, get(), produces(list(string)), handled),
    [`FW-MEDIA-003 list of string ${noValue}`],
  ],
  [
    'an object as a request body',
    () => pipe(a, post(), body(Book), handled),
    [`FW-MEDIA-003 Book ${noValue}`],
  ],
  [
    'an object as a declared success',
    () => pipe(a, get(), responds(203, Book), handled),
    [`FW-MEDIA-003 Book ${noValue}`],
  ],
  [
    'an object as a declared failure',
    () => pipe(a, get(), fails(404, Book), handled),
    [`FW-MEDIA-003 Book ${noValue}`],
  ],
  [
    'an object as a field of a form in a response',
    () => pipe(a, get(), produces(multipartOutput({ tags: list(string), book: Book })), handled),
    [`FW-MEDIA-003 Book ${noValue}`],
  ],
  [
    'a path that is not a string',
    () => pipe(path(/a/), get(), handled),
    ['FW-ROUTE-001 invalid path template: expected a string, got an object'],
  ],
  [
    'a wildcard in the path of an operation',
    () => pipe(a, get('/*'), handled),
    [
      'FW-ROUTE-001 unexpected "*": a variable for one or more segments is written {rest:.+}; for none, declare a second path',
    ],
  ],
  [
    'a variable in brackets in the path of a resource',
    () => pipe(path('/books/[id]'), get(), handled),
    ['FW-ROUTE-001 unexpected "[id]": variables are written {id}'],
  ],
  [
    'a handler in routes',
    () => () => 'a',
    ['FW-ROUTE-008 expected an endpoint or a route tree, got a function'],
  ],
  [
    'undefined in routes',
    () => undefined,
    ['FW-ROUTE-008 expected an endpoint or a route tree, got undefined'],
  ],
  [
    'a record without routes',
    () => ({ endpoint }),
    ['FW-ROUTE-008 expected an endpoint or a route tree, got an object'],
  ],
]

/** Removes the routes from issues. */
const withoutRoutes = (issues: ReadonlyArray<string>): ReadonlyArray<string> =>
  issues.map((issue) => issue.replace(/^(\S+) .*?(?:\(node\)|^node): |^(\S+) node: /, '$1$2 '))

describe('untyped programs: declarations', (test) => {
  table<Row>(test, declarations, async (_, make, issues) => {
    const broken = routes({ node: make() })
    assert.equal(withoutRoutes(await issuesOf(() => inMemory(broken))), issues)
    assert.equal(withoutRoutes(await clientIssues(broken)), issues)
  })
  test('a resource in routes has no method and no handler', async () =>
    assert.equal(await issuesOf(() => inMemory(routes({ a }))), [
      'FW-ROUTE-004 (no method) /a  (a): declare a method: get(), post(), …',
      'FW-ROUTE-004 (no method) /a  (a): declare a handler: handle(…), implement(…) or implementAll(…)',
    ]))
  test('an endpoint without a handler', async () =>
    assert.equal(await issuesOf(() => inMemory(routes({ node: pipe(a, get()) }))), [
      'FW-ROUTE-004 GET /a  (node): declare a handler: handle(…), implement(…) or implementAll(…)',
    ]))
  test('a handler that is not a function', async () =>
    assert.equal(await issuesOf(() => inMemory(routes({ node: pipe(a, get(), handle('a')) }))), [
      'FW-ROUTE-004 GET /a  (node): expected a function in handle(…), got a string',
    ]))
})

/** Codecs that are accepted, because their encoded values are text or lists of text. */
type Suitable = readonly [title: string, codec: unknown]
const suitable: ReadonlyArray<Suitable> = [
  ['a nullable string', t.union([t.string, t.null])],
  ['an optional list', typed.optional(typed.list(typed.int))],
  ['a separated set', typed.separated(',')(typed.set(typed.int))],
  [
    'a branded string',
    t.brand(t.string, (id): id is t.Branded<string, { Id: symbol }> => id !== '', 'Id'),
  ],
  [
    'an opaque codec',
    typed.fromString(
      'point',
      (value) => ({ value }),
      ({ value }) => value,
    ),
  ],
  [
    'an object codec with other functions',
    Object.assign(t.type({ title: t.string }), { encode: () => 'Emma' }),
  ],
]

describe('untyped programs: suitable codecs', (test) => {
  table<Suitable>(test, suitable, async (_, codec) =>
    assert.equal(
      await issuesOf(() => inMemory(routes({ node: pipe(a, get(), query({ codec }), handled) }))),
      [],
    ),
  )
})
