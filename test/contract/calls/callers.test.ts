/** Principals, headers and prefix variables of requests that `callWithFilters` sends. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { CallWithFiltersOptions } from '../../../src/client.ts'
import { callWithFilters } from '../../../src/client.ts'
import {
  apiKey,
  authenticated,
  basic,
  cookie,
  get,
  handle,
  int,
  needs,
  path,
  prefix,
  produces,
  rolesAllowed,
  routes,
  slot,
  string,
  text,
  withFilter,
} from '../../../src/index.ts'
import { contract } from '../../support/contract.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { calling } from './called-books.ts'

const Tenant = slot(int)('tenant')
const Shelf = slot<string>()('shelf')

const who = pipe(
  path('/who'),
  get(),
  rolesAllowed('reader'),
  produces(text),
  handle((_, { security, request }) =>
    [security.principal?.name, security.scheme, request.header('Cookie'), request.id].join(),
  ),
)
const themed = pipe(
  path('/themed'),
  get(),
  authenticated,
  cookie({ theme: string }),
  produces(text),
  handle(({ cookie: { theme } }, { security }) => `${security.principal?.name} ${theme}`),
)
const callingWho = (target: string, options?: CallWithFiltersOptions) =>
  calling(target, (context) => callWithFilters(context, who, {}, options))
const roles = (name: string) => (name === 'ann' ? ['reader'] : [])
const idOf = pipe(
  path('/id'),
  get(),
  produces(text),
  handle(async (_, context) => {
    const result = await callWithFilters(context, who)()
    return String(E.isRight(result) && result.right.body.endsWith(`,${context.request.id}`))
  }),
)

contract(
  'callers of callWithFilters',
  () =>
    pipe(
      routes({
        who,
        themed,
        same: callingWho('/same'),
        again: callingWho('/again', { headers: { Authorization: `Basic ${btoa('ann:x')}` } }),
        forbidden: callingWho('/forbidden', {
          headers: { Authorization: `Basic ${btoa('bea:x')}` },
        }),
        withTheme: calling('/with-theme', (context) =>
          callWithFilters(context, themed, { cookie: { theme: 'dark' } }),
        ),
        id: idOf,
      }),
      withFilter(
        apiKey({
          header: 'X-Key',
          verify: (key) => ({ name: key, roles: roles(key) }),
        }),
        basic({ realm: 'r', verify: ({ user }) => ({ name: user, roles: roles(user) }) }),
      ),
    ),
  (test, send) => {
    const answer = async (target: string, headers: Record<string, string>) => {
      const response = await sendRequest(send, `GET ${target}`, { headers })
      return (await response.text()).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'id')
    }
    test('the principal and the cookies of the current request are used', async () => {
      assert.is(
        await answer('/same', { 'X-Key': 'ann', Cookie: 'a=b' }),
        'Right 200 "ann,ApiKey,a=b,id"',
      )
      assert.is(
        await answer('/same', { Authorization: `Basic ${btoa('ann:x')}` }),
        'Right 200 "ann,Basic,,id"',
      )
    })
    test('the request id of the current request is used', async () =>
      assert.is(await answer('/id', { 'X-Key': 'ann' }), 'true'))
    test('an anonymous request stays anonymous', async () =>
      assert.is(
        await answer('/same', {}),
        'Left UndeclaredStatus who: undeclared status 401 Unauthorized',
      ))
    test('access rules apply to the principal', async () =>
      assert.is(
        await answer('/same', { 'X-Key': 'bea' }),
        'Left UndeclaredStatus who: undeclared status 403 Forbidden',
      ))
    test('Authorization in the options authenticates again', async () => {
      assert.is(await answer('/again', { 'X-Key': 'bea' }), 'Right 200 "ann,Basic,,id"')
      assert.is(
        await answer('/forbidden', { 'X-Key': 'ann' }),
        'Left UndeclaredStatus who: undeclared status 403 Forbidden',
      )
    })
    test('cookies of the input do not remove the principal', async () =>
      assert.is(await answer('/with-theme', { 'X-Key': 'ann' }), 'Right 200 "ann dark"'))
  },
)

const ofTenant = pipe(
  path('/of'),
  get(),
  needs({ tenant: Tenant, shelf: Shelf }),
  produces(text),
  handle(({ needs: { tenant, shelf } }) => `${tenant} ${shelf}`),
)
const inTenant = (options?: CallWithFiltersOptions) =>
  calling('/call', (context) => callWithFilters(context, ofTenant, {}, options))

contract(
  'prefix variables of callWithFilters',
  () =>
    routes({
      tenants: pipe(
        routes({
          ofTenant: pipe(routes({ ofTenant }), prefix('/s/{shelf}', { shelf: Shelf })),
          sameShelf: pipe(routes({ call: inTenant() }), prefix('/x/{name}', { name: Shelf })),
          otherShelf: pipe(
            routes({ call: inTenant({ prefix: { shelf: 'b/c' } }) }),
            prefix('/other'),
          ),
        }),
        prefix('/t/{tenant}', { tenant: Tenant }),
      ),
      outside: inTenant({ prefix: { tenant: 3, shelf: 'a' } }),
      missing: pipe(routes({ call: inTenant() }), prefix('/missing')),
      invalid: pipe(
        routes({ call: inTenant({ prefix: { tenant: 'x', shelf: 'a' } }) }),
        prefix('/invalid'),
      ),
    }),
  (test, send) => {
    test('are those of the current request, by slot', async () =>
      assert.equal(await responseTo(send, 'GET /t/7/x/a%2Fb/call'), [200, 'Right 200 "7 a/b"']))
    test('can be passed as an option', async () => {
      assert.equal(await responseTo(send, 'GET /t/7/other/call'), [200, 'Right 200 "7 b/c"'])
      assert.equal(await responseTo(send, 'GET /call'), [200, 'Right 200 "3 a"'])
    })
    test('a missing value is an EncodeError', async () => {
      const [, message] = await responseTo(send, 'GET /missing/call')
      assert.match(String(message), /^Left EncodeError .*path tenant .*required/)
    })
    test('an invalid value is an EncodeError', async () => {
      const [, message] = await responseTo(send, 'GET /invalid/call')
      assert.match(String(message), /^Left EncodeError .*path tenant must be an integer/)
    })
  },
)
