import { pipe } from 'fp-ts/lib/function.js'
import {
  allFields,
  del,
  get,
  handle,
  int,
  json,
  path,
  produces,
  representation,
  put,
  routes,
  string,
  compressed,
  as,
  body,
  bytes,
  cache,
  cookie,
  encoded,
  entity,
  fails,
  form,
  header,
  list,
  matrix,
  needs,
  optional,
  optionalPart,
  part,
  post,
  provide,
  query,
  queryMap,
  reader,
  readerInterceptor,
  responds,
  slot,
  text,
  upload,
  inLanguage,
  withEtag,
  withInterceptor,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../../src/index.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { describeTree, routeTable } from '../../../src/compiler/explain.ts'
import { injectLinks, linkId, rel } from '../../../src/links.ts'
import { describe } from '../../support/describe.ts'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { customSerialization, lossless, omitNull } from '../../../src/json.ts'

const Book = t.type({ title: t.string }, 'Book')
const Missing = t.type({ id: t.string }, 'Missing')
const Clock = slot<() => Date>()('clock')

const sentence = representation({
  mediaType: 'text/plain',
  write: ({ title }: t.TypeOf<typeof Book>) => title,
})

const books = path('/books/{id}', { id: int })
const api = pipe(
  routes({
    books: routes({
      get: pipe(
        books,
        get(),
        query({ tag: list(string), page: optional(int) }),
        header({ userAgent: encoded(string) }),
        cookie({ session: string }),
        matrix({ v: int }),
        produces(json(Book), sentence),
        responds(202),
        fails(404, json(Missing)),
        fails(410),
        cache({ maxAge: 60 }),
        needs({ now: Clock }),
        handle(() => ({ title: '' })),
      ),
      replace: pipe(
        books,
        put(),
        body(json(Book), as('application/x-book')(bytes)),
        handle(() => undefined),
      ),
    }),
    search: pipe(
      path('/search'),
      post(),
      form({ q: string, all: allFields }),
      queryMap,
      produces(text),
      handle(() => ''),
    ),
  }),
  provide({ clock: () => new Date(0) }),
)

const served = pipe(
  routes({
    echo: pipe(
      path('/'),
      post(),
      body(entity(Book)),
      produces(entity(Book)),
      handle((input) => input.body),
    ),
  }),
  withReader(
    reader({ mediaType: 'text/csv', of: Book, read: () => ({ title: '' }) }),
    reader({ mediaType: 'text/x-a', of: 'Book', read: () => ({ title: '' }) }),
  ),
  withWriter(
    writer({ mediaType: 'image/*', of: ({ name }) => name === 'Book', write: () => '' }),
    writer({ mediaType: 'text/html', write: () => '' }),
  ),
  withInterceptor(
    readerInterceptor((_, proceed) => proceed()),
    writerInterceptor((_, proceed) => proceed()),
    writerInterceptor((_, proceed) => proceed()),
  ),
)

describe('describeTree', (test) => {
  test('returns a paragraph for each operation, in the order of the tree', () =>
    assert.is(
      describeTree(compile(api)),
      [
        'GET /books/{id}  (books.get)',
        '  path id: int',
        '  query tag: list of string',
        '  query page: int or undefined',
        '  header user-agent: string, not decoded',
        '  cookie session: string',
        '  matrix v: int',
        '  responds 200 application/json: Book',
        '  responds 200 text/plain;charset=UTF-8',
        '  responds 202 without a body',
        '  fails 404 application/json: Missing',
        '  fails 410 without a body',
        '  cache-control max-age=60',
        '  needs now',
        '',
        'PUT /books/{id}  (books.replace)',
        '  path id: int',
        '  body application/json: Book',
        '  body application/x-book',
        '  responds 204 without a body',
        '',
        'POST /search  (search)',
        '  form q: string',
        '  form all: allFields',
        '  query: all parameters as a map',
        '  body application/x-www-form-urlencoded',
        '  body multipart/form-data',
        '  responds 200 text/plain;charset=UTF-8',
      ].join('\n'),
    ))
  test('lists compression and ETags', () => {
    const book = pipe(
      path('/a'),
      get(),
      produces(withEtag('weak')(text)),
      compressed,
      handle(() => 'a'),
    )
    assert.is(
      describeTree(compile(routes({ book }))),
      ['GET /a  (book)', '  responds 200 text/plain;charset=UTF-8, weak etag', '  compressed'].join(
        '\n',
      ),
    )
  })
  test('lists languages', () => {
    const book = pipe(
      path('/a'),
      get(),
      produces(inLanguage('en')(text), inLanguage('de')(withEtag('weak')(text))),
      handle(() => 'a'),
    )
    assert.equal(describeTree(compile(routes({ book }))).split('\n'), [
      'GET /a  (book)',
      '  responds 200 text/plain;charset=UTF-8, language en',
      '  responds 200 text/plain;charset=UTF-8, language de, weak etag',
    ])
  })
  test('lists readers, writers and interceptors', () =>
    assert.is(
      describeTree(compile(served)),
      [
        'POST /  (echo)',
        '  body text/csv;charset=UTF-8: Book, reader of Book',
        '  body text/x-a;charset=UTF-8: Book, reader of Book',
        '  body application/json: Book',
        '  responds 200 image/*: Book, writer of some entities',
        '  responds 200 text/html;charset=UTF-8: Book, writer of every entity',
        '  responds 200 application/json: Book',
        '  1 reader interceptor',
        '  2 writer interceptors',
      ].join('\n'),
    ))
  test('an empty tree has an empty description', () =>
    assert.is(describeTree(compile(routes({}))), ''))
  test('lists the JSON library and customizations', () => {
    const book = pipe(
      path('/book'),
      get(),
      customSerialization(omitNull),
      produces(json(t.string)),
      handle(() => 'Emma'),
    )
    const description = describeTree(compile(pipe(routes({ book }), lossless)))
    assert.match(description, /\n {2}json lossless, custom serialization$/)
    assert.not.match(describeTree(compile(routes({ book }))), /lossless/)
  })
  test('lists the parts of a form', () => {
    const cover = pipe(
      path('/cover'),
      post(),
      form({ cover: upload, note: optionalPart(part(json(t.string))) }),
      handle(() => undefined),
    )
    assert.match(
      describeTree(compile(routes({ cover }))),
      /\n {2}form cover: upload\n {2}form note: part application\/json: string, optional\n {2}body multipart\/form-data\n/,
    )
  })
})

describe('routeTable', (test) => {
  test('returns a line for each operation, in columns', () =>
    assert.is(
      routeTable(compile(api)),
      [
        'GET   /books/{id}  -> 200 application/json text/plain;charset=UTF-8, 202                                   books.get',
        'PUT   /books/{id}  application/json, application/x-book -> 204                                             books.replace',
        'POST  /search      application/x-www-form-urlencoded, multipart/form-data -> 200 text/plain;charset=UTF-8  search',
      ].join('\n'),
    ))
  test('an empty tree has an empty table', () => assert.is(routeTable(compile(routes({}))), ''))
})

const LinkedBook = t.type({ isbn: linkId(string), pages: int }, 'Book')
const book = path('/books/{id}')

describe('describeTree with links', (test) => {
  test('lists relations, their entities, and members that provide variables of another name', () =>
    assert.is(
      describeTree(
        compile(
          routes({
            get: pipe(
              book,
              get(),
              produces(json(LinkedBook)),
              rel(),
              injectLinks('instance'),
              handle(() => ({ isbn: '', pages: 1 })),
            ),
            del: pipe(
              book,
              del('/{pages}/{x}'),
              rel('erase', { title: 'Erase', entity: LinkedBook }),
              handle(() => {}),
            ),
            put: pipe(
              path('/shelf'),
              put(),
              injectLinks(),
              handle(() => {}),
            ),
          }),
        ),
      ),
      [
        'GET /books/{id}  (get)',
        '  path id: string',
        '  responds 200 application/json: Book',
        '  response filter injectLinks, priority 5000',
        '  link self of Book, {id} from isbn',
        '  injects instance links',
        '',
        'DELETE /books/{id}/{pages}/{x}  (del)',
        '  path id: string',
        '  path pages: string',
        '  path x: string',
        '  responds 204 without a body',
        '  link erase of Book, "Erase", {id} from isbn, {x} without a value',
        '',
        'PUT /shelf  (put)',
        '  responds 204 without a body',
        '  response filter injectLinks, priority 5000',
        '  injects type links',
      ].join('\n'),
    ))
})
