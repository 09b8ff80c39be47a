/** Views: of the rules, and R-355, where a view meets roles. */
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
import { contract } from '../support/doors.ts'
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
  'R-259, R-260, R-262: what a view writes',
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
      ['R-262: none', 'GET /none', emma],
      ['R-259: the view itself, and what has no view', 'GET /open', open],
      ['R-259: one that extends it', 'GET /internal', emma],
      ['R-259: one that extends it further', 'GET /audit', emma],
      ['R-259: another of the same name', 'GET /other', { title: 'Emma', authors: [{}] }],
      ['R-260: on a resource', 'GET /resource', open],
      ['R-260: an operation overrides its resource', 'GET /overriding', emma],
      ['R-260: on a tree', 'GET /tree/inside', open],
      ['R-260: an operation overrides its tree', 'GET /tree/nearer', emma],
      ['R-260: a representation overrides all', 'GET /tree/nearest', emma],
      ['R-259: a stream', 'GET /stream', [open, open]],
      ['R-259: lines', 'GET /lines', open],
      ['R-259: events', 'GET /events', `data: ${JSON.stringify(open)}\n\n`],
    ])
    test('R-259: a failure', async () =>
      assert.equal(await answerTo(call, 'GET /failing'), [409, open]))
    test('R-259: what a mapper answers', async () =>
      assert.equal(await answerTo(call, 'GET /mapped'), [410, open]))
    test('R-259: a part of a form, and another that has none', async () => {
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
  'R-355: views and roles together',
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
        ['R-353, R-354: nobody in particular', '/all', '', name],
        ['R-354: another role', '/all', 'ann owner', name],
        ['R-354: one of several restrictions', '/all', 'ann chief', noOwner],
        ['R-354: all of them, by the default of an expression', '/all', 'ann chief owner', ann],
        ['R-354: by another of its list', '/all', 'ann chief heir', ann],
        ['R-354: an expression is no role', '/all', 'ann chief ${role.owner:owner,', noOwner],
        ['R-355: the view hides it', '/open', 'ann chief owner', { name: 'Ann', both: true }],
        ['R-355: the role hides it', '/internal', '', name],
        ['R-355: both show it', '/internal', 'ann chief', noOwner],
        ['R-358: opted out', '/unsecured', '', ann],
        ['R-358: opted out, in a view', '/unsecured/open', '', { name: 'Ann', both: true }],
        ['R-358: opted out by the tree', '/tree/inside', '', ann],
        ['R-358: and in again', '/tree/again', '', name],
        ['R-358: the operation over its resource', '/tree/resource', '', ann],
      ] as const,
      async (_, target, user, expected) => {
        const init = user === '' ? {} : { headers: { 'X-User': user } }
        assert.equal(await answerTo(call, `GET ${target}`, init), [200, expected])
      },
    )
    test('R-354: whoever asked before sees what it sees', async () => {
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
