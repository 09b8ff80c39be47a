/** The filter `jwt`: verification of signed tokens. */
import { pipe } from 'fp-ts/lib/function.js'
import type { JWTPayload } from 'jose'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  jwt,
  path,
  prefix,
  produces,
  rolesAllowed,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const keys = await generateKeyPair('ES256', { extractable: true })
const otherKeys = await generateKeyPair('ES256')
const published = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' }
const secret = new Uint8Array(32).fill(7)

const me = pipe(
  path('/me'),
  get(),
  rolesAllowed('reader'),
  produces(text),
  handle((_, { security }) => `${security.principal?.name}, by ${security.scheme}`),
)
const filter = {
  keys: { keys: [published] },
  issuer: 'id',
  audience: 'library',
  algorithms: ['ES256'],
  // workers have no `node_modules`
  jose: () => import('jose'),
} as const
const api = pipe(routes({ me }), withFilter(jwt(filter)))

const now = Math.floor(Date.now() / 1000)
const claims: JWTPayload = {
  sub: 'ann',
  iss: 'id',
  aud: 'library',
  exp: now + 3600,
  roles: ['reader'],
}
const signed = (
  changes: Readonly<Record<string, unknown>>,
  key: Parameters<SignJWT['sign']>[0] = keys.privateKey,
  alg = 'ES256',
) => new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg, kid: 'one' }).sign(key)
const unsigned = [{ alg: 'none' }, claims]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')

type Row = readonly [name: string, token: string, status: number]
const rows: ReadonlyArray<Row> = [
  ['a valid token', await signed({}), 200],
  ['a token without the role', await signed({ roles: [] }), 403],
  ['an expired token', await signed({ exp: now - 60 }), 401],
  ['a token that is not yet valid', await signed({ nbf: now + 3000 }), 401],
  ['a token without an expiration time', await signed({ exp: undefined }), 401],
  ['a token of another issuer', await signed({ iss: 'another' }), 401],
  ['a token for another audience', await signed({ aud: 'shop' }), 401],
  ['a token signed with another key', await signed({}, otherKeys.privateKey), 401],
  ['a token signed with a shared secret', await signed({}, secret, 'HS256'), 401],
  ['an unsigned token', `${unsigned}.`, 401],
]

const cookieFilter = { ...filter, cookie: 'session' } as const
const greet = pipe(
  path('/greet'),
  get(),
  produces(text),
  handle((_, { security }) => security.principal?.name ?? 'anonymous'),
)
const cookieApi = routes({
  strict: pipe(routes({ me, greet }), withFilter(jwt(cookieFilter)), prefix('/strict')),
  tolerant: pipe(
    routes({ me, greet }),
    withFilter(jwt({ ...cookieFilter, proactive: false })),
    prefix('/tolerant'),
  ),
})

/** A title, the target, headers, and the expected status or text. */
type CookieRow = readonly [
  title: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  expected: number | string,
]
const [valid, expired, other] = [
  await signed({}),
  await signed({ exp: now - 60 }),
  await signed({ sub: 'bob' }),
]
const cookieRows: ReadonlyArray<CookieRow> = [
  [
    'a valid token in the cookie',
    '/strict/me',
    { Cookie: `a=b; session=${valid}` },
    'ann, by Bearer',
  ],
  [
    'a valid token in the header',
    '/strict/me',
    { Authorization: `Bearer ${valid}` },
    'ann, by Bearer',
  ],
  [
    'tokens in both: the header takes precedence',
    '/strict/me',
    { Authorization: `Bearer ${other}`, Cookie: `session=${valid}` },
    'bob, by Bearer',
  ],
  [
    'an invalid token in the header, and a valid one in the cookie',
    '/strict/me',
    { Authorization: 'Bearer a.b.c', Cookie: `session=${valid}` },
    401,
  ],
  [
    'credentials of another scheme in the header',
    '/strict/me',
    { Authorization: 'Basic YTpi', Cookie: `session=${valid}` },
    'ann, by Bearer',
  ],
  ['a token in another cookie', '/strict/me', { Cookie: `Session=${valid}` }, 401],
  ['an expired token in the cookie', '/strict/me', { Cookie: `session=${expired}` }, 401],
  ['a cookie that is not a token', '/strict/greet', { Cookie: 'session=a b' }, 401],
  [
    'an expired token for an operation without rules',
    '/strict/greet',
    { Cookie: `session=${expired}` },
    401,
  ],
  ['an empty cookie', '/strict/greet', { Cookie: 'session=' }, 'anonymous'],
  ['no cookie', '/strict/greet', {}, 'anonymous'],
  [
    'proactive false: an expired token',
    '/tolerant/greet',
    { Cookie: `session=${expired}` },
    'anonymous',
  ],
  ['proactive false: a valid token', '/tolerant/greet', { Cookie: `session=${valid}` }, 'ann'],
  [
    'proactive false: an expired token where a role is required',
    '/tolerant/me',
    { Cookie: `session=${expired}` },
    401,
  ],
]

valueContract('jwt in a cookie', cookieApi, (test, call) => {
  table<CookieRow>(test, cookieRows, async (_, target, headers, expected) => {
    const response = await sendRequest(call, `GET ${target}`, { headers })
    if (typeof expected === 'string')
      return assert.equal([response.status, await response.text()], [200, expected])
    assert.is(response.status, expected)
    assert.match(response.headers.get('WWW-Authenticate') ?? '', /^Bearer realm="api"/)
  })
  test('an invalid name of a cookie throws a TypeError', () => {
    for (const cookie of ['', 'a b', 'a;b'])
      assert.throws(() => jwt({ ...cookieFilter, cookie }), TypeError)
  })
})

valueContract('jwt', api, (test, call) => {
  table<Row>(test, rows, async (_, token, status) => {
    const response = await sendRequest(call, 'GET /me', {
      headers: { Authorization: `Bearer ${token}` },
    })
    assert.is(response.status, status)
    const challenge = response.headers.get('WWW-Authenticate')
    if (status === 401) assert.match(challenge ?? '', /error="invalid_token"/)
    if (status === 200) assert.is(await response.text(), 'ann, by Bearer')
  })
})
