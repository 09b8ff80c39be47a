/** Authentication. The ready-made filters are in `credentials.test.ts`. */
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
  identified,
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
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { ann, anonymous, who } from '../support/principal-operation.ts'

const challenge = 'Test realm="a"'
const ways = {
  nothing: authentication({ challenge }, () => undefined),
  none: authentication({ challenge }, () => O.none),
  task: authentication({ challenge }, () => T.of(undefined)),
  taskEitherOn: authentication({ challenge }, () => TE.right(undefined)),
  known: authentication({ challenge }, () => identified(ann)),
  knownByScheme: authentication({ challenge }, () => identified(ann, 'Other')),
  some: authentication({ challenge }, () => O.some(identified(ann))),
  right: authentication({ challenge }, () => E.right(identified(ann))),
  promise: authentication({ challenge }, async () => identified(ann)),
  taskOfKnown: authentication({ challenge }, () => T.of(identified(ann))),
  taskEither: authentication({ challenge }, () => TE.right(identified(ann))),
  refused: authentication({ challenge }, () => new Unauthorized(challenge)),
  left: authentication({ challenge }, () => E.left(new Unauthorized(challenge))),
  taskLeft: authentication({ challenge }, () => TE.left(new Unauthorized(challenge))),
  replied: authentication({ challenge }, () => reply(429, 'slow down')),
  thrown: authentication({ challenge }, () => {
    throw new Unauthorized(challenge)
  }),
  rejected: authentication({ challenge }, () => Promise.reject(new Unauthorized(challenge))),
  defect: authentication({ challenge }, () => {
    throw new Error('a defect')
  }),
  unavailable: authentication({ challenge }, async () => new ServiceUnavailable()),
}
const known = [200, 'ann, Test, a reader, 2020'] as const
const outcomes: ReadonlyArray<
  [name: keyof typeof ways, answer: readonly [number, string] | number]
> = [
  ['nothing', anonymous],
  ['none', anonymous],
  ['task', anonymous],
  ['taskEitherOn', anonymous],
  ['known', known],
  ['knownByScheme', [200, 'ann, Other, a reader, 2020']],
  ['some', known],
  ['right', known],
  ['promise', known],
  ['taskOfKnown', known],
  ['taskEither', known],
  ['refused', 401],
  ['left', 401],
  ['taskLeft', 401],
  ['replied', 429],
  ['thrown', 401],
  ['rejected', 401],
  ['defect', 500],
  ['unavailable', 503],
]
const one = (name: keyof typeof ways) =>
  [name, pipe(routes({ it: who(name) }), withFilter(ways[name]))] as const

contract(
  'what an authentication filter comes to',
  routes(Object.fromEntries(outcomes.map(([name]) => one(name)))),
  (test, call) => {
    table(test, outcomes, async (name, expected) => {
      const answer = await answerTo(call, `GET /${name}`)
      if (typeof expected === 'number') assert.is(answer[0], expected)
      else assert.equal(answer, expected)
    })
  },
)

const asked: string[] = []
const asking = (name: string, user?: string) =>
  authentication({ challenge: name }, () => {
    asked.push(name)
    return user === undefined ? undefined : identified({ name: user, roles: [] })
  })

contract(
  'several authentication filters',
  pipe(
    routes({ it: who('it') }),
    withFilter(asking('C', 'cid')),
    withFilter(asking('B', 'bob'), pipe(asking('first'), priority(1))),
    withFilter(asking('A')),
  ),
  (test, call) => {
    test('are asked in their order, until one knows who asks', async () => {
      asked.length = 0
      assert.equal(await answerTo(call, 'GET /it'), [200, 'bob, B, -, 0'])
      assert.equal(asked, ['first', 'A', 'B'])
    })
  },
)

const Users = slot<ReadonlyMap<string, string>>()('users')
const Name = slot<string>()('name')
contract(
  'what stands around an authentication filter, and behind it',
  pipe(
    routes({
      it: pipe(
        path('/it'),
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
        return name === undefined ? undefined : identified({ name, roles: [] })
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
    test('it needs what filters before it give, and those behind it know who asks', async () => {
      assert.equal(await answerTo(call, 'GET /it', { headers: { 'X-User': '1' } }), [
        200,
        'ann of Test',
      ])
      assert.is((await ask(call, 'GET /it', { headers: { 'X-User': '2' } })).status, 401)
    })
  },
)

const lenient = (name: keyof typeof ways) => {
  const filter = ways[name]
  if (filter._tag !== 'RequestFilter' || filter.authentication === undefined) throw new Error(name)
  return { ...filter, authentication: { ...filter.authentication, proactive: false } }
}
const lenientRows: ReadonlyArray<[name: keyof typeof ways, open: number, closed: number]> = [
  ['known', 200, 200],
  ['promise', 200, 200],
  ['nothing', 200, 401],
  ['refused', 200, 401],
  ['left', 200, 401],
  ['taskLeft', 200, 401],
  ['thrown', 200, 401],
  ['rejected', 200, 401],
  ['replied', 429, 429], // not a refusal of credentials
  ['defect', 500, 500],
  ['unavailable', 503, 503],
]
contract(
  'filters that are not proactive',
  routes(
    Object.fromEntries(
      lenientRows.map(([name]) => [
        name,
        pipe(
          routes({
            open: who(`${name}/open`),
            permitted: pipe(who(`${name}/permitted`), permitAll),
            closed: pipe(who(`${name}/closed`), authenticated),
          }),
          withFilter(lenient(name)),
        ),
      ]),
    ),
  ),
  (test, call) => {
    table(test, lenientRows, async (name, open, closed) => {
      assert.is((await ask(call, `GET /${name}/open`)).status, open)
      assert.is((await ask(call, `GET /${name}/permitted`)).status, open)
      assert.is((await ask(call, `GET /${name}/closed`)).status, closed)
    })
    test('somebody whom it knows is known where anybody may call', async () => {
      assert.equal(await answerTo(call, 'GET /promise/open'), known)
    })
  },
)
