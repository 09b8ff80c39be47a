/** The filters `basic`, `bearer` and `apiKey`: credentials in requests and challenges in responses. */
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
} from '../../../src/index.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { ann, anonymous, principalOperation } from '../../support/principal-operation.ts'

const base64 = (value: string): string => Buffer.from(value).toString('base64')
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
  'basic (RFC 7617)',
  pipe(
    routes({
      operation: pipe(principalOperation('principal'), authenticated),
      open: principalOperation('open'),
    }),
    withFilter(passwords),
  ),
  (test, call) => {
    table<[name: string, sent: string, status: number]>(
      test,
      [
        ['valid credentials', `Basic ${base64('ann:plüm')}`, 200],
        ['the scheme in mixed case', `bAsIc ${base64('ann:plüm')}`, 200],
        ['several spaces after the scheme', `Basic   ${base64('ann:plüm')}`, 200], // RFC 9110, 11.4: 1*SP
        ['a wrong password', `Basic ${base64('ann:pear')}`, 401],
        ['an empty password', `Basic ${base64('ann:')}`, 401],
        ['credentials without a colon', `Basic ${base64('ann')}`, 401],
        [
          'credentials in ISO 8859-1',
          `Basic ${Buffer.from('ann:plüm', 'latin1').toString('base64')}`,
          401,
        ],
        ['a control character', `Basic ${base64('ann\n:plüm')}`, 401],
        ['no credentials', 'Basic', 401],
        ['invalid Base64', 'Basic !', 401],
        ['two credentials', `Basic ${base64('ann:plüm')}, Basic ${base64('ann:plüm')}`, 401],
        ['another scheme', `Bearer ${base64('ann:plüm')}`, 401],
        ['a scheme that starts with Basic', `Basics ${base64('ann:plüm')}`, 401],
        ['a verify function that returns an error', `Basic ${base64('often:')}`, 429],
        ['a verify function that throws', `Basic ${base64('down:')}`, 500],
      ],
      async (_, sent, status) => {
        const response = await sendRequest(call, 'GET /principal', authorized(sent))
        assert.is(response.status, status)
        if (status === 401) assert.is(response.headers.get('WWW-Authenticate'), basicChallenge)
        if (status === 401) assert.is(response.headers.get('Cache-Control'), 'no-store')
      },
    )
    test('the context has the principal and the scheme', async () => {
      assert.equal(
        await responseTo(call, 'GET /principal', authorized(`Basic ${base64('bob:plüm')}`)),
        [200, 'bob, Basic, a reader, 1'],
      )
    })
    test('invalid credentials return 401 for an operation without authorization', async () => {
      assert.is((await sendRequest(call, 'GET /open', authorized('Basic !'))).status, 401)
      assert.equal(await responseTo(call, 'GET /open'), anonymous)
    })
  },
)

contract(
  'basic with silent',
  pipe(
    routes({ operation: pipe(principalOperation('principal'), authenticated) }),
    withFilter(basic({ realm: 'a', silent: true, verify: () => undefined })),
  ),
  (test, call) => {
    test('a request without credentials gets no challenge', async () => {
      const response = await sendRequest(call, 'GET /principal')
      assert.equal([response.status, response.headers.get('WWW-Authenticate')], [401, null])
    })
    test('a request with invalid credentials gets a challenge', async () => {
      const response = await sendRequest(
        call,
        'GET /principal',
        authorized(`Basic ${base64('a:b')}`),
      )
      assert.is(response.headers.get('WWW-Authenticate'), 'Basic realm="a", charset="UTF-8"')
    })
  },
)

const tokens = bearer({
  verify: (token) => async () => (token === 'aZ0-._~+/==' ? O.some(ann) : O.none),
})

contract(
  'bearer (RFC 6750)',
  pipe(
    routes({ operation: pipe(principalOperation('principal'), authenticated) }),
    withFilter(tokens),
  ),
  (test, call) => {
    table<[name: string, sent: string, status: number, challenge?: string]>(
      test,
      [
        ['a valid token', 'Bearer aZ0-._~+/==', 200], // 2.1: b64token
        ['a lower-case scheme', 'bearer aZ0-._~+/==', 200],
        ['an invalid token', 'Bearer other', 401, 'Bearer realm="api", error="invalid_token"'], // 3.1
        ['no token', 'Bearer', 400, 'Bearer realm="api", error="invalid_request"'],
        [
          'a token with a space',
          'Bearer two tokens',
          400,
          'Bearer realm="api", error="invalid_request"',
        ],
        ['two tokens', 'Bearer a, Bearer b', 400, 'Bearer realm="api", error="invalid_request"'],
        [
          'a token with a non-ASCII character',
          'Bearer ü',
          400,
          'Bearer realm="api", error="invalid_request"',
        ],
        ['another scheme than Bearer', 'Basic aZ0', 401, 'Bearer realm="api"'], // 3.1: no error for a request without a token
      ],
      async (_, sent, status, expected) => {
        const response = await sendRequest(call, 'GET /principal', authorized(sent))
        assert.is(response.status, status)
        assert.is(response.headers.get('WWW-Authenticate') ?? undefined, expected)
      },
    )
  },
)

contract(
  'bearer with a cookie',
  pipe(
    routes({ operation: pipe(principalOperation('principal'), authenticated) }),
    withFilter(bearer({ cookie: 'token', verify: (token) => (token === 't 1' ? ann : undefined) })),
  ),
  (test, call) => {
    table<[name: string, headers: Record<string, string>, status: number]>(
      test,
      [
        ['a valid token in the cookie', { Cookie: 'token=t%201' }, 200],
        ['an invalid token in the cookie', { Cookie: 'token=t' }, 401],
        [
          'a malformed header, and a valid token in the cookie',
          { Authorization: 'Bearer', Cookie: 'token=t%201' },
          400,
        ],
      ],
      async (_, headers, status) =>
        assert.is((await sendRequest(call, 'GET /principal', { headers })).status, status),
    )
  },
)

const verification = (name: string) => ({
  verify: (key: string) => (key === 'k 1' ? { name, roles: [] } : null),
})
contract(
  'apiKey',
  pipe(
    routes({ operation: pipe(principalOperation('principal'), authenticated) }),
    withFilter(
      apiKey({ header: 'X-Api-Key', ...verification('header') }),
      apiKey({ query: 'key', ...verification('query') }),
      apiKey({ cookie: 'key', ...verification('cookie') }),
    ),
  ),
  (test, call) => {
    table<[name: string, line: string, headers: Record<string, string>, expected: string | number]>(
      test,
      [
        ['a key in a header', 'GET /principal', { 'x-api-key': 'k 1' }, 'header'],
        ['a key in the query', 'GET /principal?key=k+1', {}, 'query'],
        ['a key in a cookie', 'GET /principal', { cookie: 'key=k%201' }, 'cookie'],
        ['keys in two places', 'GET /principal?key=bad', { 'x-api-key': 'k 1' }, 'header'],
        ['an invalid key', 'GET /principal', { 'x-api-key': 'bad' }, 401],
        ['an empty key', 'GET /principal?key=', {}, 401],
        ['no key', 'GET /principal', {}, 401],
      ],
      async (_, line, headers, expected) => {
        const [status, responseBody] = await responseTo(call, line, { headers })
        if (typeof expected === 'number') assert.is(status, expected)
        else assert.equal([status, responseBody], [200, `${expected}, ApiKey, -, 0`])
      },
    )
    test('a 401 without a key has a challenge for each place', async () => {
      assert.is(
        (await sendRequest(call, 'GET /principal')).headers.get('WWW-Authenticate'),
        'ApiKey header="X-Api-Key", ApiKey query="key", ApiKey cookie="key"',
      )
    })
  },
)

const notProactive = { proactive: false, verify: () => undefined }
contract(
  'basic, bearer and apiKey with proactive false',
  routes({
    basic: pipe(
      routes({ operation: principalOperation('basic') }),
      withFilter(basic({ realm: 'a', ...notProactive })),
    ),
    bearer: pipe(
      routes({ operation: principalOperation('bearer') }),
      withFilter(bearer(notProactive)),
    ),
    key: pipe(
      routes({ operation: principalOperation('key') }),
      withFilter(apiKey({ header: 'X-Key', ...notProactive })),
    ),
    authenticated: pipe(
      routes({ operation: pipe(principalOperation('authenticated'), authenticated) }),
      withFilter(bearer({ realm: 'a', ...notProactive })),
    ),
  }),
  (test, call) => {
    table<[name: string, target: string, headers: Record<string, string>]>(
      test,
      [
        [
          'Basic credentials with a wrong password',
          '/basic',
          { Authorization: `Basic ${base64('ann:pear')}` },
        ],
        ['malformed Basic credentials', '/basic', { Authorization: 'Basic !' }],
        ['an invalid Bearer token', '/bearer', { Authorization: 'Bearer other' }],
        ['a malformed Bearer token', '/bearer', { Authorization: 'Bearer two tokens' }],
        ['an invalid API key', '/key', { 'X-Key': 'bad' }],
        ['an empty API key', '/key', { 'X-Key': '' }],
      ],
      async (_, target, headers) =>
        assert.equal(await responseTo(call, `GET ${target}`, { headers }), anonymous),
    )
    test('invalid credentials return 401 for an operation that requires authentication', async () =>
      assert.is(
        (await sendRequest(call, 'GET /authenticated', authorized('Bearer other'))).status,
        401,
      ))
  },
)
