/** What is asked of the package `jose`, and what becomes of its answers. The package itself is trusted, and not here. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import type { Jose } from '../../src/filter/jose.ts'
import type { JwtOptions } from '../../src/filter/jwt.ts'
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
import { answerTo, ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'

const coded = (code: string): Error => Object.assign(new Error(code), { code })

/** Verifies `{"sub":"ann"}` in Base64url with any key, and throws the code that a token names. */
const pretended = (asked: unknown[]): Jose => ({
  jwtVerify: async (token, key, options) => {
    asked.push(key, options)
    const payload = JSON.parse(Buffer.from(token, 'base64url').toString()) as { code?: string }
    if (payload.code === 'TypeError') throw new TypeError('a key of the wrong kind')
    if (payload.code !== undefined) throw coded(payload.code)
    return { payload: { ...payload } }
  },
  createLocalJWKSet: (keys) => ({ local: keys }),
  createRemoteJWKSet: (url) => ({ remote: url.href }),
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
const asking = (options: Partial<JwtOptions> = {}, asked: unknown[] = [], loads: number[] = []) =>
  inMemory(
    pipe(
      routes({ me }),
      withFilter(
        jwtBy(async () => {
          loads.push(1)
          return pretended(asked)
        })({ ...rules, ...options }),
      ),
    ),
  )
const bearing = (payload: object) => ({
  headers: {
    Authorization: `Bearer ${Buffer.from(JSON.stringify(payload)).toString('base64url')}`,
  },
})

describe('jwt: whom claims name', (test) => {
  table<[name: string, payload: object, options: Partial<JwtOptions>, expected: string | number]>(
    test,
    [
      ['sub', { sub: 'ann', x: 1 }, {}, 'ann Bearer 1'],
      ['roles and groups', { sub: 'ann', roles: ['a', 1], groups: ['b'] }, {}, 'ann Bearer a b '],
      ['roles that are no list', { sub: 'ann', roles: 'a' }, {}, 'ann Bearer '],
      ['no sub', { roles: ['a'] }, {}, 401],
      ['sub that is no text', { sub: 1 }, {}, 401],
      ['sub that is empty', { sub: '' }, {}, 401],
      [
        'a rule of one’s own',
        { mail: 'a@b' },
        { verify: ({ mail }) => ({ name: String(mail), roles: ['x'] }) },
        'a@b Bearer x ',
      ],
      ['a rule that takes time', {}, { verify: () => async () => O.none }, 401],
    ],
    async (_, payload, options, expected) => {
      const [status, content] = await answerTo(asking(options), 'GET /me', bearing(payload))
      if (typeof expected === 'number') assert.is(status, expected)
      else assert.equal([status, content], [200, expected])
    },
  )
})

describe('jwt: what the package finds wrong', (test) => {
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
      // the keys cannot be had: not the client's fault
      ['ERR_JWKS_TIMEOUT', 500],
      ['ERR_JWKS_INVALID', 500],
      ['ERR_JWK_INVALID', 500],
      ['ERR_JOSE_GENERIC', 500],
      ['TypeError', 500],
    ],
    async (code, status) => {
      const response = await ask(asking(), 'GET /me', bearing({ code }))
      assert.is(response.status, status)
      assert.is(
        response.headers.get('WWW-Authenticate'),
        status === 401 ? 'Bearer realm="api", error="invalid_token"' : null,
      )
    },
  )
})

const asked = async (options: Partial<JwtOptions>): Promise<unknown[]> => {
  const found: unknown[] = []
  await ask(asking(options, found), 'GET /me', bearing({ sub: 'ann' }))
  return found
}

describe('jwt: what the package is asked', (test) => {
  test('a token has to have an end, the issuer, the audience and an algorithm', async () => {
    assert.equal(await asked({}), [
      secret,
      { issuer: 'i', audience: 'a', algorithms: ['HS256'], requiredClaims: ['exp'] },
    ])
  })
  test('what else is said', async () => {
    const [, options] = await asked({ algorithms: ['ES256'], type: 'at+jwt', clockTolerance: 5 })
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
      ['octets', secret, secret],
      ['a URL', new URL('https://id.example/keys'), { remote: 'https://id.example/keys' }],
      ['a set of keys', { keys: [] }, { local: { keys: [] } }],
      ['a key', { kty: 'EC' }, { kty: 'EC' }],
    ],
    async (_, keys, expected) => assert.equal((await asked({ keys }))[0], expected),
  )
  test('it is loaded once, by the first token', async () => {
    const loads: number[] = []
    const call = asking({}, [], loads)
    await ask(call, 'GET /me')
    assert.is(loads.length, 0)
    await Promise.all([1, 2].map(() => ask(call, 'GET /me', bearing({ sub: 'ann' }))))
    assert.is(loads.length, 1)
  })
  test('a secret that can be guessed is a mistake', () => {
    assert.throws(() => asking({ keys: new Uint8Array(31) }), TypeError)
  })
})

describe('jwt: rules that come to nothing', (test) => {
  table<[name: string, options: Record<string, unknown>, message: RegExp]>(
    test,
    [
      ['an empty issuer', { issuer: '' }, /issuer is empty/],
      ['no issuer', { issuer: undefined }, /issuer is empty/],
      ['a list without issuers', { issuer: [] }, /issuer is empty/],
      ['an empty issuer among others', { issuer: ['i', ''] }, /issuer is empty/],
      ['an empty audience', { audience: '' }, /audience is empty/],
      ['a list without audiences', { audience: [] }, /audience is empty/],
      ['no algorithms', { algorithms: [] }, /algorithms is empty/],
      ['an algorithm that signs nothing', { algorithms: ['HS256', 'none'] }, /signs nothing/],
      ['a tolerance that is no number', { clockTolerance: NaN }, /seconds, not NaN/],
      ['a tolerance without end', { clockTolerance: Infinity }, /seconds, not Infinity/],
      ['a tolerance below 0', { clockTolerance: -1 }, /seconds, not -1/],
    ],
    (_, options, message) => assert.throws(() => asking(options), message),
  )
})
