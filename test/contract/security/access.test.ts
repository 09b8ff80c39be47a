/** Authorization: `authenticated`, `rolesAllowed`, `permitAll` and `denyAll`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  authenticated,
  authentication,
  body,
  denyAll,
  Forbidden,
  get,
  handle,
  authenticateAs,
  json,
  mapError,
  onlyWhere,
  path,
  permitAll,
  post,
  produces,
  query,
  int,
  reply,
  requestFilter,
  responseFilter,
  rolesAllowed,
  routes,
  text,
  Unauthorized,
  withFilter,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const textOperation = (word: string) =>
  pipe(
    path(`/${word}`),
    get(),
    produces(text),
    handle(() => word),
  )

/** Trusts the `X-User` header, a name followed by roles: `ann reader editor`. */
const headerAuthentication = (challenge: string) =>
  authentication({ challenge }, ({ request }) => {
    const user = request.header('X-User')
    if (user === undefined) return undefined
    const [name = '', ...roles] = user.split(' ')
    return authenticateAs({ name, roles })
  })
const asUser = (user: string) => ({ headers: { 'X-User': user } })

const tree = pipe(
  routes({
    open: textOperation('open'),
    permitted: pipe(textOperation('permitted'), permitAll),
    denied: pipe(textOperation('denied'), denyAll),
    authenticated: pipe(textOperation('authenticated'), authenticated),
    reader: pipe(textOperation('reader'), rolesAllowed('reader')),
    either: pipe(textOperation('either'), rolesAllowed('reader', 'editor')),
    // the innermost declaration applies
    shelf: pipe(
      routes({
        list: textOperation('shelf'),
        open: pipe(textOperation('shelf/open'), permitAll),
        edit: pipe(textOperation('shelf/edit'), rolesAllowed('editor')),
      }),
      rolesAllowed('reader'),
    ),
    resource: pipe(
      path('/resource'),
      rolesAllowed('editor'),
      get(),
      produces(text),
      handle(() => 'resource'),
    ),
    expression: pipe(textOperation('expression'), rolesAllowed('${role.chief:chief}')),
    several: pipe(textOperation('several'), rolesAllowed('${role.staff:reader, editor}')),
    setting: pipe(textOperation('setting'), rolesAllowed('at-${fw.http.limits.max-parameters}')),
  }),
  withFilter(
    headerAuthentication('Test realm="a"'),
    responseFilter(withHeader('X-Filtered', 'yes')),
  ),
  withFilter(headerAuthentication('Other')),
)

const rows: ReadonlyArray<
  [
    name: string,
    target: string,
    anonymous: number,
    withoutRoles: number,
    reader: number,
    editor: number,
  ]
> = [
  ['an operation without authorization', 'open', 200, 200, 200, 200],
  ['permitAll', 'permitted', 200, 200, 200, 200],
  ['denyAll', 'denied', 401, 403, 403, 403],
  ['authenticated', 'authenticated', 401, 200, 200, 200],
  ['rolesAllowed with one role', 'reader', 401, 403, 200, 403],
  ['rolesAllowed with two roles', 'either', 401, 403, 200, 200],
  ['rolesAllowed on a tree', 'shelf', 401, 403, 200, 403],
  ['permitAll overrides rolesAllowed of the tree', 'shelf/open', 200, 200, 200, 200],
  ['rolesAllowed overrides that of the tree', 'shelf/edit', 401, 403, 403, 200],
  ['rolesAllowed on a resource', 'resource', 401, 403, 403, 200],
  ['rolesAllowed with an expression', 'expression', 401, 403, 403, 403],
  ['rolesAllowed with an expression of two roles', 'several', 401, 403, 200, 200],
]

contract('authorization', tree, (test, call) => {
  table(test, rows, async (_, target, ...statuses) => {
    const sent = [{}, asUser('ann'), asUser('ann reader'), asUser('ann editor')]
    for (const [index, init] of sent.entries()) {
      const response = await sendRequest(call, `GET /${target}`, init)
      assert.is(response.status, statuses[index], `${index}`)
      assert.is(response.headers.get('X-Filtered'), 'yes')
    }
  })
  test('role names are case-sensitive and compared as a whole', async () => {
    assert.is(
      (await sendRequest(call, 'GET /reader', asUser('ann Reader read readers'))).status,
      403,
    )
  })
  test('expressions in role names resolve to settings and defaults', async () => {
    assert.is((await sendRequest(call, 'GET /expression', asUser('ann chief'))).status, 200)
    assert.is((await sendRequest(call, 'GET /setting', asUser('ann at-1000'))).status, 200)
  })
  test('401 has the challenges of all enclosing filters and is sent with no-store', async () => {
    const { headers } = await sendRequest(call, 'GET /authenticated')
    assert.is(headers.get('WWW-Authenticate'), 'Other, Test realm="a"')
    assert.is(headers.get('Cache-Control'), 'no-store')
    assert.is(headers.get('Content-Type'), 'application/problem+json')
  })
  test('403 has no challenge and is sent with no-store', async () => {
    const response = await sendRequest(call, 'GET /reader', asUser('ann'))
    assert.is(response.headers.get('WWW-Authenticate'), null)
    assert.is(response.headers.get('Cache-Control'), 'no-store')
    assert.not.match(await response.text(), /ann|reader/)
  })
  test('HEAD has the authorization of GET', async () => {
    assert.is((await sendRequest(call, 'HEAD /authenticated')).status, 401)
    assert.is((await sendRequest(call, 'HEAD /authenticated', asUser('ann'))).status, 200)
  })
})

const executed: string[] = []
const guarded = pipe(
  routes({
    create: pipe(
      path('/items/{id}', { id: int }),
      post(),
      rolesAllowed('editor'),
      query({ page: int }),
      body(json(t.type({ name: t.string }))),
      produces(text),
      handle(() => 'created'),
    ),
  }),
  withFilter(
    requestFilter(() => {
      executed.push('filter')
    }),
    headerAuthentication('Test'),
  ),
)

contract('order of authorization', guarded, (test, call) => {
  const send = async (target: string, type: string, init: Record<string, string> = {}) => {
    executed.length = 0
    const { status } = await sendRequest(call, `POST ${target}`, {
      headers: { 'Content-Type': type, ...init },
      body: '{',
    })
    return [status, ...executed]
  }
  test('authorization follows routing', async () => {
    assert.equal(await send('/nothing', 'application/json'), [404])
    assert.equal(await send('/items/1', 'text/plain'), [415])
  })
  test('authorization precedes other filters, parameters and the body', async () => {
    assert.equal(await send('/items/a?page=x', 'application/json'), [401])
    assert.equal(await send('/items/a?page=x', 'application/json', asUser('ann').headers), [403])
  })
  test('filters and validation run for a permitted caller', async () => {
    const editor = asUser('ann editor').headers
    assert.equal(await send('/items/a', 'application/json', editor), [404, 'filter'])
    assert.equal(await send('/items/1?page=1', 'application/json', editor), [400, 'filter'])
  })
})

contract(
  'error mappers with authorization',
  pipe(
    routes({
      reader: pipe(textOperation('reader'), rolesAllowed('reader')),
      denied: pipe(textOperation('denied'), denyAll, (operation) => routes({ operation })),
    }),
    withFilter(headerAuthentication('Test')),
    withMapper(
      mapError(Unauthorized, ({ headers }) => reply(401, `unauthorized: ${headers.join(' ')}`)),
      mapError(Forbidden, (_, { security }) =>
        reply(404, `forbidden for ${security.principal?.name}`),
      ),
    ),
  ),
  (test, call) => {
    test('an Unauthorized error is mapped', async () => {
      assert.equal(await responseTo(call, 'GET /reader'), [
        401,
        'unauthorized: WWW-Authenticate Test',
      ])
    })
    test('a Forbidden error is mapped', async () => {
      assert.equal(await responseTo(call, 'GET /reader', asUser('ann')), [404, 'forbidden for ann'])
      assert.equal(await responseTo(call, 'GET /denied', asUser('bob')), [404, 'forbidden for bob'])
    })
  },
)

contract(
  'denyAll without authentication',
  routes({ denied: pipe(textOperation('denied'), denyAll) }),
  (test, call) => {
    test('returns 403 instead of 401', async () => {
      assert.is((await sendRequest(call, 'GET /denied')).status, 403)
    })
  },
)

contract(
  'authentication filters for some operations',
  pipe(
    routes({
      a: pipe(textOperation('a'), authenticated),
      b: pipe(textOperation('b'), authenticated),
    }),
    withFilter(
      headerAuthentication('Everywhere'),
      pipe(
        headerAuthentication('Here'),
        onlyWhere(({ name }) => name === 'a'),
      ),
    ),
  ),
  (test, call) => {
    test('a 401 has only the challenges of filters that apply to the operation', async () => {
      const [a, b] = await Promise.all(['a', 'b'].map((name) => sendRequest(call, `GET /${name}`)))
      assert.is(a?.headers.get('WWW-Authenticate'), 'Everywhere, Here')
      assert.is(b?.headers.get('WWW-Authenticate'), 'Everywhere')
    })
  },
)
