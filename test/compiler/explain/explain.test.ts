import { pipe } from 'fp-ts/lib/function.js'
import {
  del,
  get,
  handle,
  int,
  json,
  path,
  produces,
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
  withEtag,
  withInterceptor,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../../src/index.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { describeTree, routeTable } from '../../../src/compiler/explain/explain.ts'
import { injectLinks, linkId, rel } from '../../../src/links.ts'
import { describe } from '../../support/describe.ts'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { customSerialization, lossless, omitNull } from '../../../src/json.ts'

const Book = t.type({ title: t.string }, 'Book')
const Missing = t.type({ id: t.string }, 'Missing')
const Clock = slot<() => Date>()('clock')

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
        produces(json(Book), text),
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
      form({ q: string }),
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

describe('explain', (test) => {
  test('is a paragraph for each operation, in the order of the tree', () =>
    assert.is(
      describeTree(compile(api)),
      [
        'GET /books/{id}  (books.get)',
        '  path id: int',
        '  query tag: list of string',
        '  query page: int or nothing',
        '  header user-agent: string, not decoded',
        '  cookie session: string',
        '  matrix v: int',
        '  answers 200 application/json: Book',
        '  answers 200 text/plain;charset=UTF-8',
        '  answers 202 without content',
        '  fails 404 application/json: Missing',
        '  fails 410 without content',
        '  cache-control max-age=60',
        '  needs now',
        '',
        'PUT /books/{id}  (books.replace)',
        '  path id: int',
        '  body application/json: Book',
        '  body application/x-book',
        '  answers 204 without content',
        '',
        'POST /search  (search)',
        '  form q: string',
        '  query: all parameters as a map',
        '  body application/x-www-form-urlencoded',
        '  body multipart/form-data',
        '  answers 200 text/plain;charset=UTF-8',
      ].join('\n'),
    ))
  test('says what is compressed and tagged', () => {
    const tagged = pipe(
      path('/a'),
      get(),
      produces(withEtag('weak')(text)),
      compressed,
      handle(() => 'a'),
    )
    assert.is(
      describeTree(compile(routes({ tagged }))),
      [
        'GET /a  (tagged)',
        '  answers 200 text/plain;charset=UTF-8, weak etag',
        '  compressed',
      ].join('\n'),
    )
  })
  test('says who reads and writes', () =>
    assert.is(
      describeTree(compile(served)),
      [
        'POST /  (echo)',
        '  body text/csv;charset=UTF-8: Book, by the reader of Book',
        '  body text/x-a;charset=UTF-8: Book, by the reader of Book',
        '  body application/json: Book',
        '  answers 200 image/*: Book, by the writer of some entities',
        '  answers 200 text/html;charset=UTF-8: Book, by the writer of every entity',
        '  answers 200 application/json: Book',
        '  read through 1 interceptor',
        '  written through 2 interceptors',
      ].join('\n'),
    ))
  test('is nothing for an empty tree', () => assert.is(describeTree(compile(routes({}))), ''))
  test('tells how JSON is read and written', () => {
    const book = pipe(
      path('/book'),
      get(),
      customSerialization(omitNull),
      produces(json(t.string)),
      handle(() => 'Emma'),
    )
    const told = describeTree(compile(pipe(routes({ book }), lossless)))
    assert.match(told, /\n {2}json lossless, written by a function$/)
    assert.not.match(describeTree(compile(routes({ book }))), /lossless/)
  })
  test('tells the parts of a form', () => {
    const cover = pipe(
      path('/cover'),
      post(),
      form({ cover: upload, note: optionalPart(part(json(t.string))) }),
      handle(() => undefined),
    )
    assert.match(
      describeTree(compile(routes({ cover }))),
      /\n {2}form cover: upload\n {2}form note: part application\/json: string or nothing\n {2}body multipart\/form-data\n/,
    )
  })
})

describe('table', (test) => {
  test('is a line for each operation, in columns', () =>
    assert.is(
      routeTable(compile(api)),
      [
        'GET   /books/{id}  -> 200 application/json text/plain;charset=UTF-8, 202                                   books.get',
        'PUT   /books/{id}  application/json, application/x-book -> 204                                             books.replace',
        'POST  /search      application/x-www-form-urlencoded, multipart/form-data -> 200 text/plain;charset=UTF-8  search',
      ].join('\n'),
    ))
  test('is nothing for an empty tree', () => assert.is(routeTable(compile(routes({}))), ''))
})

const LinkedBook = t.type({ isbn: linkId(string), pages: int }, 'Book')
const book = path('/books/{id}')

describe('explain', (test) => {
  test('R-281 tells relations, whose they are, and what fills variables by another name', () =>
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
        '  answers 200 application/json: Book',
        '  response filter injectLinks, priority 5000',
        '  link self of Book, {id} from isbn',
        '  sends instance links',
        '',
        'DELETE /books/{id}/{pages}/{x}  (del)',
        '  path id: string',
        '  path pages: string',
        '  path x: string',
        '  answers 204 without content',
        '  link erase of Book, "Erase", {id} from isbn, {x} from nothing',
        '',
        'PUT /shelf  (put)',
        '  answers 204 without content',
        '  response filter injectLinks, priority 5000',
        '  sends type links',
      ].join('\n'),
    ))
})
