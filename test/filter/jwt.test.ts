/** The calls of the package `jose` and the handling of their results, with a fake of the package. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import type { Jose, JwtOptions } from '../../src/filter/jwt.ts'
import { jwtBy } from '../../src/filter/jwt.ts'
import {
  authenticated,
  get,
  handle,
  path,
  produces,
  routes,
  text,
  withFilter,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { responseTo, sendRequest } from '../support/send-request.ts'
import { describe, table } from '../support/describe.ts'

const errorWithCode = (code: string): Error => Object.assign(new Error(code), { code })

/** A fake of `jose`: tokens are JSON in Base64url. Throws an error with the `code` of the token. */
const fakeJose = (calls: unknown[]): Jose => ({
  jwtVerify: async (token, key, options) => {
    calls.push(key, options)
    const payload = JSON.parse(Buffer.from(token, 'base64url').toString()) as { code?: string }
    if (payload.code === 'TypeError') throw new TypeError('a key of the wrong kind')
    if (payload.code !== undefined) throw errorWithCode(payload.code)
    return { payload: { ...payload } }
  },
  createLocalJWKSet: (keys) => ({ local: keys }),
  createRemoteJWKSet: (url) => ({ remote: url.href }),
  customFetch: Symbol('fetch'),
})

const secret = new Uint8Array(32)
const rules: JwtOptions = { keys: secret, issuer: 'i', audience: 'a', algorithms: ['HS256'] }
const me = pipe(
  path('/me'),
  get(),
  authenticated,
  produces(text),
  handle((_, { security: { principal, scheme } }) =>
    [principal?.name, scheme, principal?.roles, principal?.claims?.['x']].flat().join(' '),
  ),
)
const serverWith = (
  options: Partial<JwtOptions> = {},
  calls: unknown[] = [],
  loads: number[] = [],
) =>
  inMemory(
    pipe(
      routes({ me }),
      withFilter(
        jwtBy(async () => {
          loads.push(1)
          return fakeJose(calls)
        })({ ...rules, ...options }),
      ),
    ),
  )
const withToken = (payload: object) => ({
  headers: {
    Authorization: `Bearer ${Buffer.from(JSON.stringify(payload)).toString('base64url')}`,
  },
})

describe('jwt, principal of the claims', (test) => {
  table<[name: string, payload: object, options: Partial<JwtOptions>, expected: string | number]>(
    test,
    [
      ['sub', { sub: 'ann', x: 1 }, {}, 'ann Bearer 1'],
      ['roles and groups', { sub: 'ann', roles: ['a', 1], groups: ['b'] }, {}, 'ann Bearer a b '],
      ['roles that are not a list', { sub: 'ann', roles: 'a' }, {}, 'ann Bearer '],
      ['no sub', { roles: ['a'] }, {}, 401],
      ['sub that is not a string', { sub: 1 }, {}, 401],
      ['an empty sub', { sub: '' }, {}, 401],
      [
        'a custom verify function',
        { mail: 'a@b' },
        { verify: ({ mail }) => ({ name: String(mail), roles: ['x'] }) },
        'a@b Bearer x ',
      ],
      ['an asynchronous verify function', {}, { verify: () => async () => O.none }, 401],
    ],
    async (_, payload, options, expected) => {
      const [status, content] = await responseTo(serverWith(options), 'GET /me', withToken(payload))
      if (typeof expected === 'number') assert.is(status, expected)
      else assert.equal([status, content], [200, expected])
    },
  )
})

describe('jwt, status for errors of jose', (test) => {
  table<[code: string, status: number]>(
    test,
    [
      ['ERR_JWT_EXPIRED', 401],
      ['ERR_JWT_CLAIM_VALIDATION_FAILED', 401],
      ['ERR_JWT_INVALID', 401],
      ['ERR_JWS_INVALID', 401],
      ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 401],
      ['ERR_JOSE_ALG_NOT_ALLOWED', 401],
      ['ERR_JOSE_NOT_SUPPORTED', 401],
      ['ERR_JWKS_NO_MATCHING_KEY', 401],
      ['ERR_JWKS_MULTIPLE_MATCHING_KEYS', 401],
      // the keys are unavailable: a server error
      ['ERR_JWKS_TIMEOUT', 500],
      ['ERR_JWKS_INVALID', 500],
      ['ERR_JWK_INVALID', 500],
      ['ERR_JOSE_GENERIC', 500],
      ['TypeError', 500],
    ],
    async (code, status) => {
      const response = await sendRequest(serverWith(), 'GET /me', withToken({ code }))
      assert.is(response.status, status)
      assert.is(
        response.headers.get('WWW-Authenticate'),
        status === 401 ? 'Bearer realm="api", error="invalid_token"' : null,
      )
    },
  )
})

const joseCalls = async (options: Partial<JwtOptions>): Promise<unknown[]> => {
  const found: unknown[] = []
  await sendRequest(serverWith(options, found), 'GET /me', withToken({ sub: 'ann' }))
  return found
}

describe('jwt, calls of jose', (test) => {
  test('jwtVerify gets the issuer, audience and algorithms, and requires exp', async () => {
    assert.equal(await joseCalls({}), [
      secret,
      { issuer: 'i', audience: 'a', algorithms: ['HS256'], requiredClaims: ['exp'] },
    ])
  })
  test('jwtVerify gets the token type and clock tolerance', async () => {
    const [, options] = await joseCalls({
      algorithms: ['ES256'],
      type: 'at+jwt',
      clockTolerance: 5,
    })
    assert.equal(options, {
      issuer: 'i',
      audience: 'a',
      requiredClaims: ['exp'],
      algorithms: ['ES256'],
      typ: 'at+jwt',
      clockTolerance: 5,
    })
  })
  table<[name: string, keys: object, expected: unknown]>(
    test,
    [
      ['bytes', secret, secret],
      ['a URL', new URL('https://id.example/keys'), { remote: 'https://id.example/keys' }],
      ['a key set', { keys: [] }, { local: { keys: [] } }],
      ['a key', { kty: 'EC' }, { kty: 'EC' }],
    ],
    async (_, keys, expected) => assert.equal((await joseCalls({ keys }))[0], expected),
  )
  test('jose is loaded once, for the first token', async () => {
    const loads: number[] = []
    const call = serverWith({}, [], loads)
    await sendRequest(call, 'GET /me')
    assert.is(loads.length, 0)
    await Promise.all([1, 2].map(() => sendRequest(call, 'GET /me', withToken({ sub: 'ann' }))))
    assert.is(loads.length, 1)
  })
  test('a shared secret of 31 bytes throws a TypeError', () => {
    assert.throws(() => serverWith({ keys: new Uint8Array(31) }), TypeError)
  })
})

describe('jwt, invalid options', (test) => {
  table<[name: string, options: Record<string, unknown>, message: RegExp]>(
    test,
    [
      ['an empty issuer', { issuer: '' }, /issuer must not be empty/],
      ['no issuer', { issuer: undefined }, /issuer must not be empty/],
      ['a list without issuers', { issuer: [] }, /issuer must not be empty/],
      ['an empty issuer among others', { issuer: ['i', ''] }, /issuer must not be empty/],
      ['an empty audience', { audience: '' }, /audience must not be empty/],
      ['a list without audiences', { audience: [] }, /audience must not be empty/],
      ['no algorithms', { algorithms: [] }, /algorithms must not be empty/],
      ['the algorithm none', { algorithms: ['HS256', 'none'] }, /"none" is not allowed/],
      ['a clock tolerance of NaN', { clockTolerance: NaN }, /seconds, got NaN/],
      ['an infinite clock tolerance', { clockTolerance: Infinity }, /seconds, got Infinity/],
      ['a negative clock tolerance', { clockTolerance: -1 }, /seconds, got -1/],
    ],
    (_, options, message) => assert.throws(() => serverWith(options), message),
  )
})
