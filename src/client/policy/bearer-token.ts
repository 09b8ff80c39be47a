/**
 * A token with every request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
import * as Authorization from '../../http/authorization.ts'
import type { Policy } from '../exchange.ts'
import { adding } from './headers.ts'

/**
 * Says in `Authorization` what bears the call, where the call itself does not say it. A function is asked for each request, so that
 * it can renew a token; where it fails, or gives no token, nothing is sent and the call is `Refused`. Throws a `TypeError`
 * for a text that is no token.
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
 * const ann = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [bearerToken(async () => 'mF_9.B5f-4.1JqM')],
 * })
 * const answer = await ann.hello()()
 *
 * assert.ok(E.isRight(answer))
 * assert.equal(answer.right.body, 'Bearer mF_9.B5f-4.1JqM')
 * ```
 */
export const bearerToken = (token: string | (() => string | Promise<string>)): Policy =>
  adding(
    'bearer-token',
    typeof token === 'string' ? bearing(token) : async () => bearing(await token()),
  )

const bearing = (token: string): { readonly Authorization: string } => {
  if (!Authorization.isToken68(token)) throw new TypeError('not a bearer token')
  return { Authorization: `Bearer ${token}` }
}
