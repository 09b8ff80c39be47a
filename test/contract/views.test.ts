/** Views, where a view meets roles. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  fails,
  get,
  handle,
  inView,
  json,
  jsonStream,
  jsonView,
  list,
  mapError,
  multipartOutput,
  ndjson,
  path,
  produces,
  reply,
  routes,
  secureField,
  secureSerialization,
  sse,
  view,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import { answers, answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { trusting } from '../support/secrets.ts'

const Public = view('Public')
const Internal = view('Internal', Public)
const Audit = view('Audit', Internal)
const Other = view('Public')

const Author = t.type({ name: inView(Public)(t.string), born: inView(Internal)(t.number) })
const Book = t.type({
  title: t.string,
  shelf: inView(Public)(t.string),
  price: inView(Internal)(t.number),
  authors: list(Author),
})
const emma = { title: 'Emma', shelf: 'A', price: 12, authors: [{ name: 'Jane', born: 1775 }] }
const open = { title: 'Emma', shelf: 'A', authors: [{ name: 'Jane' }] }

const book = (name: `/${string}`) =>
  pipe(
    path(name),
    get(),
    produces(json(Book)),
    handle(() => emma),
  )

class Lost extends Error {}

contract(
  'what a view writes',
  routes({
    none: book('/none'),
    open: pipe(book('/open'), jsonView(Public)),
    internal: pipe(book('/internal'), jsonView(Internal)),
    audit: pipe(book('/audit'), jsonView(Audit)),
    other: pipe(book('/other'), jsonView(Other)),
    resource: pipe(
      path('/resource'),
      jsonView(Public),
      get(),
      produces(json(Book)),
      handle(() => emma),
    ),
    overriding: pipe(
      path('/overriding'),
      jsonView(Public),
      get(),
      jsonView(Internal),
      produces(json(Book)),
      handle(() => emma),
    ),
    tree: pipe(
      routes({
        inside: book('/tree/inside'),
        nearer: pipe(book('/tree/nearer'), jsonView(Internal)),
        nearest: pipe(
          path('/tree/nearest'),
          get(),
          produces(jsonView(Internal)(json(Book))),
          handle(() => emma),
        ),
      }),
      jsonView(Public),
    ),
    failing: pipe(
      path('/failing'),
      get(),
      fails(409, json(Book)),
      jsonView(Public),
      handle(() => E.left(emma)),
    ),
    mapped: pipe(
      routes({
        one: pipe(
          path('/mapped'),
          get(),
          jsonView(Public),
          handle(() => {
            throw new Lost()
          }),
        ),
      }),
      withMapper(mapError(Lost, { fails: { 410: json(Book) } }, () => reply(410, emma))),
    ),
    stream: pipe(
      path('/stream'),
      get(),
      jsonView(Public),
      produces(jsonStream(Book)),
      handle(() => [emma, emma]),
    ),
    lines: pipe(
      path('/lines'),
      get(),
      jsonView(Public),
      produces(ndjson(Book)),
      handle(() => [emma]),
    ),
    events: pipe(
      path('/events'),
      get(),
      jsonView(Public),
      produces(sse(Book)),
      handle(() => [emma]),
    ),
    parts: pipe(
      path('/parts'),
      get(),
      produces(multipartOutput({ open: jsonView(Public)(json(Book)), whole: json(Book) })),
      handle(() => ({ open: emma, whole: emma })),
    ),
  }),
  (test, call) => {
    answers(test, call, [
      ['none', 'GET /none', emma],
      ['the view itself, and what has no view', 'GET /open', open],
      ['one that extends it', 'GET /internal', emma],
      ['one that extends it further', 'GET /audit', emma],
      ['another of the same name', 'GET /other', { title: 'Emma', authors: [{}] }],
      ['on a resource', 'GET /resource', open],
      ['an operation overrides its resource', 'GET /overriding', emma],
      ['on a tree', 'GET /tree/inside', open],
      ['an operation overrides its tree', 'GET /tree/nearer', emma],
      ['a representation overrides all', 'GET /tree/nearest', emma],
      ['a stream', 'GET /stream', [open, open]],
      ['lines', 'GET /lines', open],
      ['events', 'GET /events', `data: ${JSON.stringify(open)}\n\n`],
    ])
    test('a failure', async () => assert.equal(await answerTo(call, 'GET /failing'), [409, open]))
    test('what a mapper answers', async () =>
      assert.equal(await answerTo(call, 'GET /mapped'), [410, open]))
    test('a part of a form, and another that has none', async () => {
      const content = await (await ask(call, 'GET /parts')).text()
      const parts = [...content.matchAll(/^\{.*\}/gm)].map(([text]) => JSON.parse(text) as unknown)
      assert.equal(parts, [open, emma])
    })
  },
)

const Person = t.type({
  name: inView(Public)(t.string),
  grade: secureField('chief')(inView(Internal)(t.number)),
  salary: inView(Internal)(secureField('chief')(t.number)),
  both: secureField('chief')(secureField('${role.owner:owner, heir}')(t.boolean)),
})
const ann = { name: 'Ann', grade: 3, salary: 7, both: true }
const person = (name: `/${string}`) =>
  pipe(
    path(name),
    get(),
    produces(json(Person)),
    handle(() => ann),
  )

contract(
  'views and roles together',
  pipe(
    routes({
      all: person('/all'),
      open: pipe(person('/open'), jsonView(Public)),
      internal: pipe(person('/internal'), jsonView(Internal)),
      unsecured: pipe(person('/unsecured'), secureSerialization(false)),
      unsecuredOpen: pipe(person('/unsecured/open'), secureSerialization(false), jsonView(Public)),
      tree: pipe(
        routes({
          inside: person('/tree/inside'),
          again: pipe(person('/tree/again'), secureSerialization(true)),
          resource: pipe(
            path('/tree/resource'),
            secureSerialization(true),
            get(),
            secureSerialization(false),
            produces(json(Person)),
            handle(() => ann),
          ),
        }),
        secureSerialization(false),
      ),
    }),
    withFilter(trusting),
  ),
  (test, call) => {
    const { both: _both, ...noOwner } = ann
    const name = { name: 'Ann' }
    table(
      test,
      [
        ['nobody in particular', '/all', '', name],
        ['another role', '/all', 'ann owner', name],
        ['one of several restrictions', '/all', 'ann chief', noOwner],
        ['all of them, by the default of an expression', '/all', 'ann chief owner', ann],
        ['by another of its list', '/all', 'ann chief heir', ann],
        ['an expression is no role', '/all', 'ann chief ${role.owner:owner,', noOwner],
        ['the view hides it', '/open', 'ann chief owner', { name: 'Ann', both: true }],
        ['the role hides it', '/internal', '', name],
        ['both show it', '/internal', 'ann chief', noOwner],
        ['opted out', '/unsecured', '', ann],
        ['opted out, in a view', '/unsecured/open', '', { name: 'Ann', both: true }],
        ['opted out by the tree', '/tree/inside', '', ann],
        ['and in again', '/tree/again', '', name],
        ['the operation over its resource', '/tree/resource', '', ann],
      ] as const,
      async (_, target, user, expected) => {
        const init = user === '' ? {} : { headers: { 'X-User': user } }
        assert.equal(await answerTo(call, `GET ${target}`, init), [200, expected])
      },
    )
    test('whoever asked before sees what it sees', async () => {
      const asked = ['', 'ann chief owner', '', 'ann chief', 'ann owner', 'ann chief owner']
      const seen = await Promise.all(
        asked.map(async (user) => {
          const init = user === '' ? {} : { headers: { 'X-User': user } }
          const [, content] = await answerTo(call, 'GET /all', init)
          return Object.keys(content as object).length
        }),
      )
      assert.equal(seen, [1, 4, 1, 3, 1, 4])
    })
  },
)
