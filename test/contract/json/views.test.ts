/** `jsonView` on responses: which members are written, alone and together with `secureField`. */
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
} from '../../../src/index.ts'
import { testRequests, responseTo, sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { headerAuthentication } from '../../support/secrets.ts'

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

valueContract(
  'jsonView',
  routes({
    none: book('/none'),
    publicOnly: pipe(book('/open'), jsonView(Public)),
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
        overriding: pipe(book('/tree/overriding'), jsonView(Internal)),
        representation: pipe(
          path('/tree/representation'),
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
        operation: pipe(
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
      produces(multipartOutput({ publicOnly: jsonView(Public)(json(Book)), whole: json(Book) })),
      handle(() => ({ publicOnly: emma, whole: emma })),
    ),
  }),
  (test, call) => {
    testRequests(test, call, [
      ['no view', 'GET /none', emma],
      ['writes members of the view and members without a view', 'GET /open', open],
      ['writes members of an extended view', 'GET /internal', emma],
      ['writes members of an indirectly extended view', 'GET /audit', emma],
      [
        'omits members of another view with the same name',
        'GET /other',
        { title: 'Emma', authors: [{}] },
      ],
      ['a view of a resource', 'GET /resource', open],
      ['a view of an operation overrides that of its resource', 'GET /overriding', emma],
      ['a view of a tree', 'GET /tree/inside', open],
      ['a view of an operation overrides that of its tree', 'GET /tree/overriding', emma],
      ['a view of a representation overrides all others', 'GET /tree/representation', emma],
      ['a JSON stream', 'GET /stream', [open, open]],
      ['an NDJSON stream', 'GET /lines', open],
      ['server-sent events', 'GET /events', `data: ${JSON.stringify(open)}\n\n`],
    ])
    test('a declared failure is written in the view of its operation', async () =>
      assert.equal(await responseTo(call, 'GET /failing'), [409, open]))
    test('a mapped error is written in the view of its operation', async () =>
      assert.equal(await responseTo(call, 'GET /mapped'), [410, open]))
    test('each multipart part is written in its own view', async () => {
      const responseBody = await (await sendRequest(call, 'GET /parts')).text()
      const parts = [...responseBody.matchAll(/^\{.*\}/gm)].map(
        ([text]) => JSON.parse(text) as unknown,
      )
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

valueContract(
  'jsonView with secureField',
  pipe(
    routes({
      all: person('/all'),
      publicOnly: pipe(person('/open'), jsonView(Public)),
      internal: pipe(person('/internal'), jsonView(Internal)),
      unsecured: pipe(person('/unsecured'), secureSerialization(false)),
      unsecuredOpen: pipe(person('/unsecured/open'), secureSerialization(false), jsonView(Public)),
      tree: pipe(
        routes({
          inherited: person('/tree/inherited'),
          secured: pipe(person('/tree/secured'), secureSerialization(true)),
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
    withFilter(headerAuthentication),
  ),
  (test, call) => {
    const { both: _both, ...noOwner } = ann
    const name = { name: 'Ann' }
    table(
      test,
      [
        ['an anonymous caller', '/all', '', name],
        ['a caller with another role', '/all', 'ann owner', name],
        ['a caller with one of two required roles', '/all', 'ann chief', noOwner],
        [
          'a caller with all roles, one from the default of an expression',
          '/all',
          'ann chief owner',
          ann,
        ],
        ['a caller with another role of the expression', '/all', 'ann chief heir', ann],
        ['a role named like the expression', '/all', 'ann chief ${role.owner:owner,', noOwner],
        ['a member outside the view', '/open', 'ann chief owner', { name: 'Ann', both: true }],
        ['a member of the view without the role', '/internal', '', name],
        ['a member of the view with the role', '/internal', 'ann chief', noOwner],
        ['secureSerialization(false)', '/unsecured', '', ann],
        [
          'secureSerialization(false) with a view',
          '/unsecured/open',
          '',
          { name: 'Ann', both: true },
        ],
        ['secureSerialization(false) on the tree', '/tree/inherited', '', ann],
        ['secureSerialization(true) on an operation of the tree', '/tree/secured', '', name],
        [
          'secureSerialization(false) on an operation overrides its resource',
          '/tree/resource',
          '',
          ann,
        ],
      ] as const,
      async (_, target, user, expected) => {
        const init = user === '' ? {} : { headers: { 'X-User': user } }
        assert.equal(await responseTo(call, `GET ${target}`, init), [200, expected])
      },
    )
    test('concurrent callers see the members of their own roles', async () => {
      const users = ['', 'ann chief owner', '', 'ann chief', 'ann owner', 'ann chief owner']
      const counts = await Promise.all(
        users.map(async (user) => {
          const init = user === '' ? {} : { headers: { 'X-User': user } }
          const [, responseBody] = await responseTo(call, 'GET /all', init)
          return Object.keys(responseBody as object).length
        }),
      )
      assert.equal(counts, [1, 4, 1, 3, 1, 4])
    })
  },
)
