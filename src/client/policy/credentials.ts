/**
 * Policies that send credentials in the `Authorization` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
import * as Authorization from '../../http/authorization.ts'
import * as BasicCredentials from '../../http/basic-credentials.ts'
import type { Policy } from '../exchange.ts'
import { headerPolicy } from './headers.ts'

/**
 * Sends a user name and a password with every request, encoded as UTF-8 (RFC 7617).
 *
 * A request that already has an `Authorization` header is not changed. Throws a `TypeError` if the user name contains a colon, or if
 * either value contains control characters.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { basicAuth, client } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => String(request.header('Authorization'))),
 * )
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [basicAuth('ann', 'plum')],
 * })
 * const result = await service.hello()()
 *
 * assert.ok(E.isRight(result))
 * assert.equal(result.right.body, 'Basic YW5uOnBsdW0=')
 * ```
 */
export const basicAuth = (user: string, password: string): Policy =>
  headerPolicy('basic-auth', {
    Authorization: `Basic ${BasicCredentials.format({ user, password })}`,
  })

/**
 * Sends a bearer token with every request (RFC 6750, 2.1).
 *
 * A function is called for each request, so that it can renew the token. If it fails or returns an invalid token, the request is not
 * sent and the call fails with `Refused`. A request that already has an `Authorization` header is not changed.
 * Throws a `TypeError` for an invalid token.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { bearerToken, client } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => String(request.header('Authorization'))),
 * )
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [bearerToken(async () => 'mF_9.B5f-4.1JqM')],
 * })
 * const result = await service.hello()()
 *
 * assert.ok(E.isRight(result))
 * assert.equal(result.right.body, 'Bearer mF_9.B5f-4.1JqM')
 * ```
 */
export const bearerToken = (token: string | (() => string | Promise<string>)): Policy =>
  headerPolicy(
    'bearer-token',
    typeof token === 'string' ? bearerHeader(token) : async () => bearerHeader(await token()),
  )

const bearerHeader = (token: string): { readonly Authorization: string } => {
  if (!Authorization.isToken68(token)) throw new TypeError('invalid bearer token')
  return { Authorization: `Bearer ${token}` }
}
