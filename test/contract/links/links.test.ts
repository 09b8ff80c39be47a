/** `Link` headers of responses (RFC 8288), added by `rel` and `injectLinks`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  del,
  strict,
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
} from '../../../src/index.ts'
import { injectLinks, linksOf, rel } from '../../../src/links.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { Book, linkedBooks, linksIn } from '../../support/linked-books.ts'

const typeLinks = ['<…/books>; rel="list"', '<…/books>; rel="add"']
const linksOfBook = (id: number, slug: string): ReadonlyArray<string> => [
  typeLinks[0] ?? '',
  `<…/books/${id}>; rel="self"`,
  typeLinks[1] ?? '',
  `<…/books/${id}>; rel="update"; title="Replace it"; type="application/json"`,
  `<…/books/${id}>; rel="delete"`,
  `<…/books/by/${slug}>; rel="alternate"`,
  '<…/books/either/{slugOrId}>; rel="alternate"',
]

type LinksRow = readonly [name: string, line: string, links: ReadonlyArray<string>]

const rows: ReadonlyArray<LinksRow> = [
  ['type links omit targets with variables', 'GET /books', typeLinks],
  ['HEAD has the links of GET', 'HEAD /books', typeLinks],
  [
    'instance links are in the order of the tree, with title and type',
    'GET /books/1',
    linksOfBook(1, 'emma'),
  ],
  ['values of variables are percent-encoded', 'GET /books/2', linksOfBook(2, 'a%2Fb%20c')],
  [
    'a variable without a matching member remains a template',
    'GET /books/1',
    linksOfBook(1, 'emma'),
  ],
  ['an operation without injectLinks sends no links', 'GET /quiet', []],
  ['an operation with rel alone sends no links', 'GET /books/by/emma', []],
  ['instance links without an entity are type links', 'GET /absent', typeLinks],
  ['type links without an entity', 'GET /absent-by-type', typeLinks],
  ['instance links of null are type links', 'GET /null', typeLinks],
  ['instance links of a stream are type links', 'GET /stream', typeLinks],
  ['instance links of a 204 are type links', 'DELETE /books/1', typeLinks],
  ['a declared failure sends no links', 'GET /books/7', []],
  ['an invalid path parameter sends no links', 'GET /books/one', []],
  ['instance links of a HAL entity are those of its value', 'GET /wrapped', linksOfBook(1, 'emma')],
]

contract('Link headers', linkedBooks, (test, call) => {
  table<LinksRow>(test, rows, async (_, line, links) => {
    const response = await sendRequest(call, line)
    await response.text()
    assert.equal(linksIn(response), links)
  })
})

const Note = t.type({ id: int, text: t.string }, 'Note')
const note = { id: 7, text: 'pears' }

contract(
  'default relations',
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
      produces(json(optional(list(strict(Note))))),
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
    note: pipe(
      path('/note'),
      get(),
      produces(json(strict(Note))),
      rel(),
      injectLinks(),
      handle(() => note),
    ),
    post: pipe(
      path('/note'),
      post(),
      produces(json(Note)),
      rel(),
      handle(() => note),
    ),
    put: pipe(
      path('/note'),
      put(),
      body(json(Note)),
      rel(),
      handle(() => noContent),
    ),
    patch: pipe(
      path('/note'),
      patch(),
      rel(),
      handle(() => noContent),
    ),
    del: pipe(
      path('/note'),
      del(),
      rel(),
      handle(() => noContent),
    ),
    below: routes({
      purge: pipe(
        path('/note'),
        method('PURGE')(),
        rel(),
        handle(() => noContent),
      ),
    }),
    explicit: pipe(
      path('/note'),
      method('LOCK')(),
      rel('https://example.org/rels/lock'),
      handle(() => noContent),
    ),
  }),
  (test, call) => {
    test('the default relation follows from the method and the response type', async () => {
      const response = await sendRequest(call, 'GET /note')
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
  'linksOf',
  pipe(
    routes({
      books: linkedBooks,
      links: pipe(
        path('/links'),
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
            links.type('Unknown'),
            links.type(int),
          ].map((injected) =>
            injected
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
    test('returns the links of an entity type or instance to a handler', async () =>
      assert.equal(await (await sendRequest(call, 'GET /links')).json(), [
        type,
        type,
        type,
        instance,
        instance,
        '',
        '',
      ]))
    test('returns links to a response filter for an unknown path', async () =>
      assert.is((await sendRequest(call, 'GET /nowhere')).headers.get('X-Links'), '2'))
  },
)

contract(
  'rel and injectLinks on a tree',
  pipe(
    routes({
      v1: pipe(
        routes({
          note: pipe(
            path('/note'),
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
        withHeader(
          'X-Link-Count',
          String(reply.headers.filter((name) => name === 'Link').length),
        )(reply),
      ),
    ),
    withFilter(
      requestFilter((context) => (context.request.query === 'early' ? ok('early') : undefined)),
    ),
  ),
  (test, call) => {
    test('links contain the base path and the prefix', async () => {
      const response = await sendRequest(call, 'GET /api/v1/note')
      assert.equal(linksIn(response), ['<…/api/v1/note>; rel="self"'])
      assert.is(response.headers.get('X-Link-Count'), '1')
    })
    test('a response of a request filter has the links', async () =>
      assert.equal(linksIn(await sendRequest(call, 'GET /api/v1/note?early')), [
        '<…/api/v1/note>; rel="self"',
      ]))
  },
  { 'fw.rest.path': '/api' },
)
