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
  produces,
  rolesAllowed,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

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
const api = pipe(
  routes({ me }),
  withFilter(
    jwt({ keys: { keys: [published] }, issuer: 'id', audience: 'library', algorithms: ['ES256'] }),
  ),
)

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

contract('jwt', api, (test, call) => {
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
