/**
 * Authentication by a token that whoever bears it may use.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750
 */
import { authentication } from '../endpoint/authentication.ts'
import type { Context } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { BadRequest, Unauthorized } from '../endpoint/http-error.ts'
import * as Authorization from '../http/authorization.ts'
import * as Challenge from '../http/challenge.ts'
import type { Reject, Verified } from './verification.ts'
import { toAuthenticationResult } from './verification.ts'

export interface BearerOptions {
  /** `api` unless it is said: a challenge has to have a parameter (RFC 6750, 3). */
  readonly realm?: string
  /** Says whose token this is. */
  readonly verify: (token: string, context: Context) => Verified
  /** Whether a bad token is refused where anybody may call, too; `true` unless it is said. */
  readonly proactive?: boolean
}

/**
 * Knows people by a token in `Authorization` (RFC 6750, 2.1). A token that `verify` does not know is answered with 401 and
 * `error="invalid_token"`, a field that holds no token, or more than one, with 400 and `error="invalid_request"` (3.1).
 * Tokens in forms and in URIs are not looked for.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { authenticated, bearer, get, handle, path, produces, routes, text, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const tokens = new Map([['mF_9.B5f-4.1JqM', { name: 'ann', roles: [] }]])
 * const me = pipe(
 *   path('/me'),
 *   get(),
 *   authenticated,
 *   produces(text),
 *   handle((_, { security }) => security.principal?.name ?? ''),
 * )
 * const call = inMemory(pipe(routes({ me }), withFilter(bearer({ verify: (token) => tokens.get(token) }))))
 * const ask = (Authorization: string) => call(new Request('http://localhost/me', { headers: { Authorization } }))
 *
 * assert.equal(await (await ask('Bearer mF_9.B5f-4.1JqM')).text(), 'ann')
 * assert.equal((await ask('Bearer guessed')).headers.get('WWW-Authenticate'), 'Bearer realm="api", error="invalid_token"')
 * assert.equal((await ask('Bearer two tokens')).status, 400)
 * ```
 */
export const bearer = ({ realm = 'api', verify, proactive = true }: BearerOptions): PlainFilter => {
  const challenge = (...errors: ReadonlyArray<readonly [string, string]>): string =>
    Challenge.format('Bearer', [['realm', realm], ...errors])
  const invalidToken = challenge(['error', 'invalid_token'])
  const invalidRequest = challenge(['error', 'invalid_request'])
  const refuse: Reject = (message, cause) => new Unauthorized(invalidToken, message, { cause })
  return authentication({ challenge: challenge(), proactive }, (context) => {
    const token = Authorization.credentials(context.request.header('Authorization'), 'Bearer')
    if (token === undefined) return undefined
    return Authorization.isToken68(token)
      ? toAuthenticationResult(verify(token, context), refuse)
      : new BadRequest('no token stands behind Bearer', {
          headers: { 'WWW-Authenticate': invalidRequest },
        })
  })
}
