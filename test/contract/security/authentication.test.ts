/** `authentication`: results, order and dependencies of authentication filters. `credentials.test.ts` tests the ready-made filters. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import {
  authenticated,
  authentication,
  get,
  handle,
  authenticateAs,
  needs,
  next,
  nonBlocking,
  path,
  permitAll,
  priority,
  produces,
  reply,
  requestFilter,
  routes,
  ServiceUnavailable,
  slot,
  text,
  Unauthorized,
  withFilter,
} from '../../../src/index.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'
import { ann, anonymous, principalOperation } from '../../support/principal-operation.ts'

const challenge = 'Test realm="a"'
const filters = {
  undefined: authentication({ challenge }, () => undefined),
  none: authentication({ challenge }, () => O.none),
  taskOfUndefined: authentication({ challenge }, () => T.of(undefined)),
  taskEitherOfUndefined: authentication({ challenge }, () => TE.right(undefined)),
  principal: authentication({ challenge }, () => authenticateAs(ann)),
  principalWithScheme: authentication({ challenge }, () => authenticateAs(ann, 'Other')),
  someOfPrincipal: authentication({ challenge }, () => O.some(authenticateAs(ann))),
  rightOfPrincipal: authentication({ challenge }, () => E.right(authenticateAs(ann))),
  promiseOfPrincipal: authentication({ challenge }, async () => authenticateAs(ann)),
  taskOfPrincipal: authentication({ challenge }, () => T.of(authenticateAs(ann))),
  taskEitherOfPrincipal: authentication({ challenge }, () => TE.right(authenticateAs(ann))),
  error: authentication({ challenge }, () => new Unauthorized(challenge)),
  leftOfError: authentication({ challenge }, () => E.left(new Unauthorized(challenge))),
  taskEitherOfError: authentication({ challenge }, () => TE.left(new Unauthorized(challenge))),
  reply: authentication({ challenge }, () => reply(429, 'slow down')),
  thrownError: authentication({ challenge }, () => {
    throw new Unauthorized(challenge)
  }),
  rejectedPromise: authentication({ challenge }, () => Promise.reject(new Unauthorized(challenge))),
  internalError: authentication({ challenge }, () => {
    throw new Error('internal error')
  }),
  serviceUnavailable: authentication({ challenge }, async () => new ServiceUnavailable()),
}
const annResponse = [200, 'ann, Test, a reader, 2020'] as const
const results: ReadonlyArray<
  [name: keyof typeof filters, expected: readonly [number, string] | number]
> = [
  ['undefined', anonymous],
  ['none', anonymous],
  ['taskOfUndefined', anonymous],
  ['taskEitherOfUndefined', anonymous],
  ['principal', annResponse],
  ['principalWithScheme', [200, 'ann, Other, a reader, 2020']],
  ['someOfPrincipal', annResponse],
  ['rightOfPrincipal', annResponse],
  ['promiseOfPrincipal', annResponse],
  ['taskOfPrincipal', annResponse],
  ['taskEitherOfPrincipal', annResponse],
  ['error', 401],
  ['leftOfError', 401],
  ['taskEitherOfError', 401],
  ['reply', 429],
  ['thrownError', 401],
  ['rejectedPromise', 401],
  ['internalError', 500],
  ['serviceUnavailable', 503],
]
const entryOf = (name: keyof typeof filters) =>
  [name, pipe(routes({ operation: principalOperation(name) }), withFilter(filters[name]))] as const

contract(
  'results of an authentication filter',
  routes(Object.fromEntries(results.map(([name]) => entryOf(name)))),
  (test, call) => {
    for (const [name, expected] of results)
      test(`filter result: ${name}`, async () => {
        const response = await responseTo(call, `GET /${name}`)
        if (typeof expected === 'number') assert.is(response[0], expected)
        else assert.equal(response, expected)
      })
  },
)

const executed: string[] = []
const recordingFilter = (name: string, user?: string) =>
  authentication({ challenge: name }, () => {
    executed.push(name)
    return user === undefined ? undefined : authenticateAs({ name: user, roles: [] })
  })

contract(
  'several authentication filters',
  pipe(
    routes({ operation: principalOperation('principal') }),
    withFilter(recordingFilter('C', 'cid')),
    withFilter(recordingFilter('B', 'bob'), pipe(recordingFilter('first'), priority(1))),
    withFilter(recordingFilter('A')),
  ),
  (test, call) => {
    test('run in order until one returns a principal', async () => {
      executed.length = 0
      assert.equal(await responseTo(call, 'GET /principal'), [200, 'bob, B, -, 0'])
      assert.equal(executed, ['first', 'A', 'B'])
    })
  },
)

const Users = slot<ReadonlyMap<string, string>>()('users')
const Name = slot<string>()('name')
contract(
  'dependencies of authentication filters',
  pipe(
    routes({
      operation: pipe(
        path('/principal'),
        get(),
        authenticated,
        needs({ name: Name }),
        produces(text),
        handle((input) => input.needs.name),
      ),
    }),
    withFilter(
      pipe(
        requestFilter({ gives: { name: Name } }, ({ security }) =>
          next({ name: `${security.principal?.name} of ${security.scheme}` }),
        ),
        priority(1500),
      ),
    ),
    withFilter(
      authentication({ challenge, needs: { users: Users } }, ({ request }, { users }) => {
        const name = users.get(request.header('X-User') ?? '')
        return name === undefined ? undefined : authenticateAs({ name, roles: [] })
      }),
    ),
    withFilter(
      pipe(
        requestFilter({ gives: { users: Users } }, async () =>
          next({ users: new Map([['1', 'ann']]) }),
        ),
        priority(1),
        nonBlocking,
      ),
    ),
  ),
  (test, call) => {
    test('the filter reads slots of earlier filters, and later filters read the principal', async () => {
      assert.equal(await responseTo(call, 'GET /principal', { headers: { 'X-User': '1' } }), [
        200,
        'ann of Test',
      ])
      assert.is(
        (await sendRequest(call, 'GET /principal', { headers: { 'X-User': '2' } })).status,
        401,
      )
    })
  },
)

const notProactive = (name: keyof typeof filters) => {
  const filter = filters[name]
  if (filter._tag !== 'RequestFilter' || filter.authentication === undefined) throw new Error(name)
  return { ...filter, authentication: { ...filter.authentication, proactive: false } }
}
const notProactiveRows: ReadonlyArray<[name: keyof typeof filters, open: number, closed: number]> =
  [
    ['principal', 200, 200],
    ['promiseOfPrincipal', 200, 200],
    ['undefined', 200, 401],
    ['error', 200, 401],
    ['leftOfError', 200, 401],
    ['taskEitherOfError', 200, 401],
    ['thrownError', 200, 401],
    ['rejectedPromise', 200, 401],
    ['reply', 429, 429], // not an Unauthorized error
    ['internalError', 500, 500],
    ['serviceUnavailable', 503, 503],
  ]
contract(
  'authentication filters with proactive false',
  routes(
    Object.fromEntries(
      notProactiveRows.map(([name]) => [
        name,
        pipe(
          routes({
            open: principalOperation(`${name}/open`),
            permitted: pipe(principalOperation(`${name}/permitted`), permitAll),
            closed: pipe(principalOperation(`${name}/closed`), authenticated),
          }),
          withFilter(notProactive(name)),
        ),
      ]),
    ),
  ),
  (test, call) => {
    for (const [name, open, closed] of notProactiveRows)
      test(`filter result with proactive false: ${name}`, async () => {
        assert.is((await sendRequest(call, `GET /${name}/open`)).status, open)
        assert.is((await sendRequest(call, `GET /${name}/permitted`)).status, open)
        assert.is((await sendRequest(call, `GET /${name}/closed`)).status, closed)
      })
    test('valid credentials set the principal of an operation without authorization', async () => {
      assert.equal(await responseTo(call, 'GET /promiseOfPrincipal/open'), annResponse)
    })
  },
)
