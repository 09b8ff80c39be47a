/** Web links of responses; RFC 8288. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  del,
  exact,
  get,
  handle,
  int,
  json,
  list,
  method,
  noContent,
  ok,
  optional,
  patch,
  path,
  post,
  prefix,
  produces,
  put,
  requestFilter,
  responseFilter,
  routes,
  sse,
  string,
  withFilter,
  withHeader,
} from '../../src/index.ts'
import { injectLinks, linksOf, rel } from '../../src/links.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { Book, linkedBooks } from '../support/linked-books.ts'
import { linksIn } from '../support/links.ts'

const byType = ['<…/books>; rel="list"', '<…/books>; rel="add"']
const ofBook = (id: number, slug: string): ReadonlyArray<string> => [
  byType[0] ?? '',
  `<…/books/${id}>; rel="self"`,
  byType[1] ?? '',
  `<…/books/${id}>; rel="update"; title="Replace it"; type="application/json"`,
  `<…/books/${id}>; rel="delete"`,
  `<…/books/by/${slug}>; rel="alternate"`,
  '<…/books/either/{slugOrId}>; rel="alternate"',
]

type LinksRow = readonly [name: string, line: string, links: ReadonlyArray<string>]

const rows: ReadonlyArray<LinksRow> = [
  ['type links have no variables', 'GET /books', byType],
  ['HEAD has the links of GET', 'HEAD /books', byType],
  [
    'instance links are all of them, in the order of the tree, with title and type',
    'GET /books/1',
    ofBook(1, 'emma'),
  ],
  ['values are text of a path', 'GET /books/2', ofBook(2, 'a%2Fb%20c')],
  ['a variable without a member stays', 'GET /books/1', ofBook(1, 'emma')],
  ['without injectLinks there are none', 'GET /quiet', []],
  ['a target alone sends none', 'GET /books/by/emma', []],
  ['without an entity instance links are those by type', 'GET /absent', byType],
  ['without an entity links by type are those', 'GET /absent-by-type', byType],
  ['null is no entity', 'GET /null', byType],
  ['elements of a stream have none of their own', 'GET /stream', byType],
  ['204 is without an entity', 'DELETE /books/1', byType],
  ['a failure has none', 'GET /books/7', []],
  ['a refusal has none', 'GET /books/one', []],
  ['a wrapper has those of its value', 'GET /wrapped', ofBook(1, 'emma')],
]

contract('links of responses', linkedBooks, (test, call) => {
  table<LinksRow>(test, rows, async (_, line, links) => {
    const response = await ask(call, line)
    await response.text()
    assert.equal(linksIn(response), links)
  })
})

const Note = t.type({ id: int, text: t.string }, 'Note')
const note = { id: 7, text: 'pears' }

contract(
  'relations of which nothing is said',
  routes({
    list: pipe(
      path('/list'),
      get(),
      produces(json(list(Note))),
      rel(),
      handle(() => [note]),
    ),
    set: pipe(
      path('/set'),
      get(),
      produces(json(optional(list(exact(Note))))),
      rel(),
      handle(() => [note]),
    ),
    events: pipe(
      path('/events'),
      get(),
      produces(sse(Note)),
      rel(),
      handle(async function* () {}),
    ),
    one: pipe(
      path('/one'),
      get(),
      produces(json(exact(Note))),
      rel(),
      injectLinks(),
      handle(() => note),
    ),
    post: pipe(
      path('/one'),
      post(),
      produces(json(Note)),
      rel(),
      handle(() => note),
    ),
    put: pipe(
      path('/one'),
      put(),
      body(json(Note)),
      rel(),
      handle(() => noContent),
    ),
    patch: pipe(
      path('/one'),
      patch(),
      rel(),
      handle(() => noContent),
    ),
    del: pipe(
      path('/one'),
      del(),
      rel(),
      handle(() => noContent),
    ),
    below: routes({
      purge: pipe(
        path('/one'),
        method('PURGE')(),
        rel(),
        handle(() => noContent),
      ),
    }),
    said: pipe(
      path('/one'),
      method('LOCK')(),
      rel('https://example.org/rels/lock'),
      handle(() => noContent),
    ),
  }),
  (test, call) => {
    test('follow from method and response', async () => {
      const response = await ask(call, 'GET /one')
      assert.equal(
        linksIn(response).map((link) => link.replace(/^.*rel="(.*)"$/, '$1')),
        [
          'list',
          'list',
          'list',
          'self',
          'add',
          'update',
          'update',
          'delete',
          'purge',
          'https://example.org/rels/lock',
        ],
      )
    })
  },
)

contract(
  'links for handlers and filters',
  pipe(
    routes({
      books: linkedBooks,
      said: pipe(
        path('/said'),
        get(),
        produces(json(list(string))),
        handle((_, context) => {
          const links = linksOf(context)
          const book = { id: 5, slug: 's', title: null }
          return [
            links.type(Book),
            links.type('Book'),
            links.type(list(Book)),
            links.instance(Book, book),
            links.instance('Book', book),
            links.type('Nobody'),
            links.type(int),
          ].map((found) =>
            found
              .map(
                ({ rel: relation, target }) =>
                  `${String(relation)} ${target.replace(/^http:\/\/[\w.:]+/, '')}`,
              )
              .join(),
          )
        }),
      ),
    }),
    withFilter(
      responseFilter((reply, context) =>
        withHeader('X-Links', String(linksOf(context).type(Book).length))(reply),
      ),
    ),
  ),
  (test, call) => {
    const type = 'list /books,add /books'
    const instance =
      'list /books,self /books/5,add /books,update /books/5,delete /books/5,alternate /books/by/s,alternate /books/either/{slugOrId}'
    test('are values', async () =>
      assert.equal(await (await ask(call, 'GET /said')).json(), [
        type,
        type,
        type,
        instance,
        instance,
        '',
        '',
      ]))
    test('are there where nothing was matched', async () =>
      assert.is((await ask(call, 'GET /nowhere')).headers.get('X-Links'), '2'))
  },
)

contract(
  'links within a tree',
  pipe(
    routes({
      v1: pipe(
        routes({
          one: pipe(
            path('/one'),
            get(),
            produces(json(Note)),
            handle(() => note),
          ),
        }),
        prefix('/v1'),
      ),
    }),
    rel(),
    injectLinks(),
    withFilter(
      responseFilter((reply) =>
        withHeader('X-Seen', String(reply.headers.filter((name) => name === 'Link').length))(reply),
      ),
    ),
    withFilter(
      requestFilter((context) => (context.request.query === 'early' ? ok('early') : undefined)),
    ),
  ),
  (test, call) => {
    test('are those of the whole path', async () => {
      const response = await ask(call, 'GET /api/v1/one')
      assert.equal(linksIn(response), ['<…/api/v1/one>; rel="self"'])
      assert.is(response.headers.get('X-Seen'), '1')
    })
    test('a filter that answers answers with them', async () =>
      assert.equal(linksIn(await ask(call, 'GET /api/v1/one?early')), [
        '<…/api/v1/one>; rel="self"',
      ]))
  },
  { 'fw.rest.path': '/api' },
)
