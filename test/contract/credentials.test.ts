/** Credentials as they are sent. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  apiKey,
  authenticated,
  basic,
  bearer,
  routes,
  TooManyRequests,
  withFilter,
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { ann, anonymous, who } from '../support/principal-operation.ts'

const base64 = (content: string): string => Buffer.from(content).toString('base64')
const authorized = (Authorization: string) => ({ headers: { Authorization } })

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
  'Basic, RFC 7617',
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
    test('bad credentials are refused where anybody may call, too', async () => {
      assert.is((await ask(call, 'GET /open', authorized('Basic !'))).status, 401)
      assert.equal(await answerTo(call, 'GET /open'), anonymous)
    })
  },
)

contract(
  'Basic, silent',
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
  'Bearer, RFC 6750',
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
  'API keys',
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
        else assert.equal([status, content], [200, `${expected}, ApiKey, -, 0`])
      },
    )
    test('without one, each place is named', async () => {
      assert.is(
        (await ask(call, 'GET /it')).headers.get('WWW-Authenticate'),
        'ApiKey header="X-Api-Key", ApiKey query="key", ApiKey cookie="key"',
      )
    })
  },
)

const lenient = { proactive: false, verify: () => undefined }
contract(
  'ready-made filters that are not proactive',
  routes({
    basic: pipe(routes({ it: who('basic') }), withFilter(basic({ realm: 'a', ...lenient }))),
    bearer: pipe(routes({ it: who('bearer') }), withFilter(bearer(lenient))),
    key: pipe(routes({ it: who('key') }), withFilter(apiKey({ header: 'X-Key', ...lenient }))),
    known: pipe(
      routes({ it: pipe(who('known'), authenticated) }),
      withFilter(bearer({ realm: 'a', ...lenient })),
    ),
  }),
  (test, call) => {
    table<[target: string, headers: Record<string, string>]>(
      test,
      [
        ['/basic', { Authorization: `Basic ${base64('ann:pear')}` }],
        ['/basic', { Authorization: 'Basic !' }],
        ['/bearer', { Authorization: 'Bearer other' }],
        ['/bearer', { Authorization: 'Bearer two tokens' }],
        ['/key', { 'X-Key': 'bad' }],
        ['/key', { 'X-Key': '' }],
      ],
      async (target, headers) =>
        assert.equal(await answerTo(call, `GET ${target}`, { headers }), anonymous),
    )
    test('refuse bad credentials where somebody has to be known', async () =>
      assert.is((await ask(call, 'GET /known', authorized('Bearer other'))).status, 401))
  },
)
