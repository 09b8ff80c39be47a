/** Authentication: of the rules. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import {
  apiKey,
  authenticated,
  authentication,
  basic,
  bearer,
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
  TooManyRequests,
  Unauthorized,
  withFilter,
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'

const ann = { name: 'ann', roles: ['reader'], claims: { since: 2020 } }

/** Tells who asks. */
const who = (word: string) =>
  pipe(
    path(`/${word}`),
    get(),
    produces(text),
    handle((_, { security: { principal, scheme, hasRole } }) =>
      [
        principal?.name ?? 'nobody',
        scheme ?? '-',
        hasRole('reader') ? 'a reader' : '-',
        principal?.claims?.['since'] ?? '-',
      ].join(', '),
    ),
  )

const base64 = (content: string): string => Buffer.from(content).toString('base64')
const authorized = (Authorization: string) => ({ headers: { Authorization } })

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
const anonymous = [200, 'nobody, -, -, -'] as const
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
  'R-353, R-359: what an authentication filter comes to',
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
  'R-359: several authentication filters',
  pipe(
    routes({ it: who('it') }),
    withFilter(asking('C', 'cid')),
    withFilter(asking('B', 'bob'), pipe(asking('first'), priority(1))),
    withFilter(asking('A')),
  ),
  (test, call) => {
    test('are asked in their order, until one knows who asks', async () => {
      asked.length = 0
      assert.equal(await answerTo(call, 'GET /it'), [200, 'bob, B, -, -'])
      assert.equal(asked, ['first', 'A', 'B'])
    })
  },
)

const Users = slot<ReadonlyMap<string, string>>()('users')
const Name = slot<string>()('name')
contract(
  'R-359: what stands around an authentication filter, and behind it',
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

const passwords = basic({
  realm: 'The "library"',
  verify: ({ user, password }) => {
    if (user === 'often') return E.left(new TooManyRequests())
    if (user === 'down') throw new Error('no database')
    return password === 'plüm' ? { name: user, roles: ['reader'], claims: { since: 1 } } : undefined
  },
})
const basicChallenge = 'Basic realm="The \\"library\\"", charset="UTF-8"'

contract(
  'R-360: Basic, RFC 7617',
  pipe(routes({ it: pipe(who('it'), authenticated), open: who('open') }), withFilter(passwords)),
  (test, call) => {
    table<[sent: string, status: number]>(
      test,
      [
        [`Basic ${base64('ann:plüm')}`, 200],
        [`bAsIc ${base64('ann:plüm')}`, 200], // 2: the scheme in any case
        [`Basic   ${base64('ann:plüm')}`, 200], // RFC 9110, 11.4: 1*SP
        [`Basic ${base64('ann:pear')}`, 401],
        [`Basic ${base64('ann:')}`, 401],
        [`Basic ${base64('ann')}`, 401], // no colon
        [`Basic ${Buffer.from('ann:plüm', 'latin1').toString('base64')}`, 401], // not UTF-8
        [`Basic ${base64('ann\n:plüm')}`, 401], // a control character
        ['Basic', 401],
        ['Basic !', 401],
        [`Basic ${base64('ann:plüm')}, Basic ${base64('ann:plüm')}`, 401],
        [`Bearer ${base64('ann:plüm')}`, 401], // another scheme: nobody
        [`Basics ${base64('ann:plüm')}`, 401],
        [`Basic ${base64('often:')}`, 429],
        [`Basic ${base64('down:')}`, 500],
      ],
      async (sent, status) => {
        const response = await ask(call, 'GET /it', authorized(sent))
        assert.is(response.status, status)
        if (status === 401) assert.is(response.headers.get('WWW-Authenticate'), basicChallenge)
        if (status === 401) assert.is(response.headers.get('Cache-Control'), 'no-store')
      },
    )
    test('tells the name and the scheme', async () => {
      assert.equal(await answerTo(call, 'GET /it', authorized(`Basic ${base64('bob:plüm')}`)), [
        200,
        'bob, Basic, a reader, 1',
      ])
    })
    test('R-365: bad credentials are refused where anybody may call, too', async () => {
      assert.is((await ask(call, 'GET /open', authorized('Basic !'))).status, 401)
      assert.equal(await answerTo(call, 'GET /open'), anonymous)
    })
  },
)

contract(
  'R-360: Basic, silent',
  pipe(
    routes({ it: pipe(who('it'), authenticated) }),
    withFilter(basic({ realm: 'a', silent: true, verify: () => undefined })),
  ),
  (test, call) => {
    test('requests without credentials get no challenge', async () => {
      const response = await ask(call, 'GET /it')
      assert.equal([response.status, response.headers.get('WWW-Authenticate')], [401, null])
    })
    test('requests with bad ones do', async () => {
      const response = await ask(call, 'GET /it', authorized(`Basic ${base64('a:b')}`))
      assert.is(response.headers.get('WWW-Authenticate'), 'Basic realm="a", charset="UTF-8"')
    })
  },
)

const tokens = bearer({
  verify: (token) => async () => (token === 'aZ0-._~+/==' ? O.some(ann) : O.none),
})

contract(
  'R-359: Bearer, RFC 6750',
  pipe(routes({ it: pipe(who('it'), authenticated) }), withFilter(tokens)),
  (test, call) => {
    table<[sent: string, status: number, challenge?: string]>(
      test,
      [
        ['Bearer aZ0-._~+/==', 200], // 2.1: b64token
        ['bearer aZ0-._~+/==', 200],
        ['Bearer other', 401, 'Bearer realm="api", error="invalid_token"'], // 3.1
        ['Bearer', 400, 'Bearer realm="api", error="invalid_request"'],
        ['Bearer two tokens', 400, 'Bearer realm="api", error="invalid_request"'],
        ['Bearer a, Bearer b', 400, 'Bearer realm="api", error="invalid_request"'],
        ['Bearer ü', 400, 'Bearer realm="api", error="invalid_request"'],
        ['Basic aZ0', 401, 'Bearer realm="api"'], // 3.1: no error for a request without a token
      ],
      async (sent, status, expected) => {
        const response = await ask(call, 'GET /it', authorized(sent))
        assert.is(response.status, status)
        assert.is(response.headers.get('WWW-Authenticate') ?? undefined, expected)
      },
    )
  },
)

const programs = (where: string) => ({
  verify: (key: string) => (key === 'k 1' ? { name: where, roles: [] } : null),
})
contract(
  'R-359: API keys',
  pipe(
    routes({ it: pipe(who('it'), authenticated) }),
    withFilter(
      apiKey({ header: 'X-Api-Key', ...programs('header') }),
      apiKey({ query: 'key', ...programs('query') }),
      apiKey({ cookie: 'key', ...programs('cookie') }),
    ),
  ),
  (test, call) => {
    table<[name: string, line: string, headers: Record<string, string>, expected: string | number]>(
      test,
      [
        ['in a field', 'GET /it', { 'x-api-key': 'k 1' }, 'header'],
        ['in the query', 'GET /it?key=k+1', {}, 'query'],
        ['in a cookie', 'GET /it', { cookie: 'key=k%201' }, 'cookie'],
        ['the first wins', 'GET /it?key=bad', { 'x-api-key': 'k 1' }, 'header'],
        ['a bad one', 'GET /it', { 'x-api-key': 'bad' }, 401],
        ['an empty one', 'GET /it?key=', {}, 401],
        ['none', 'GET /it', {}, 401],
      ],
      async (_, line, headers, expected) => {
        const [status, content] = await answerTo(call, line, { headers })
        if (typeof expected === 'number') assert.is(status, expected)
        else assert.equal([status, content], [200, `${expected}, ApiKey, -, -`])
      },
    )
    test('R-362: without one, each place is named', async () => {
      assert.is(
        (await ask(call, 'GET /it')).headers.get('WWW-Authenticate'),
        'ApiKey header="X-Api-Key", ApiKey query="key", ApiKey cookie="key"',
      )
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
  'R-365: filters that are not proactive',
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
