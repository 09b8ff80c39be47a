/**
 * A name and a password with every request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
import * as BasicCredentials from '../../http/basic-credentials.ts'
import type { Policy } from '../exchange.ts'
import { adding } from './headers.ts'

/**
 * Says in `Authorization` who calls, in UTF-8, where the call itself does not say it. Throws a `TypeError` for a name with a colon,
 * and for control characters.
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
 * const ann = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [basicAuth('ann', 'plum')],
 * })
 * const answer = await ann.hello()()
 *
 * assert.ok(E.isRight(answer))
 * assert.equal(answer.right.body, 'Basic YW5uOnBsdW0=')
 * ```
 */
export const basicAuth = (user: string, password: string): Policy =>
  adding('basic-auth', { Authorization: `Basic ${BasicCredentials.format({ user, password })}` })
