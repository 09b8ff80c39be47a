/**
 * Authentication by bearer tokens.
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
  /** The realm of the challenge, which must have a parameter (RFC 6750, 3). Default: `api`. */
  readonly realm?: string
  /** Returns the principal of a token. */
  readonly verify: (token: string, context: Context) => Verified
  /** Whether invalid tokens are rejected for operations without authentication, too. Default: true. */
  readonly proactive?: boolean
}

/**
 * Authenticates requests by a token in the `Authorization` header (RFC 6750, 2.1).
 *
 * A token that `verify` rejects results in 401 and `error="invalid_token"`. A header without exactly one token results in 400
 * and `error="invalid_request"` (3.1). Tokens in forms and URIs are ignored.
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
 * const send = (Authorization: string) => call(new Request('http://localhost/me', { headers: { Authorization } }))
 *
 * assert.equal(await (await send('Bearer mF_9.B5f-4.1JqM')).text(), 'ann')
 * assert.equal((await send('Bearer guessed')).headers.get('WWW-Authenticate'), 'Bearer realm="api", error="invalid_token"')
 * assert.equal((await send('Bearer two tokens')).status, 400)
 * ```
 */
export const bearer = ({ realm = 'api', verify, proactive = true }: BearerOptions): PlainFilter => {
  const challenge = (...errors: ReadonlyArray<readonly [string, string]>): string =>
    Challenge.format('Bearer', [['realm', realm], ...errors])
  const invalidToken = challenge(['error', 'invalid_token'])
  const invalidRequest = challenge(['error', 'invalid_request'])
  const reject: Reject = (message, cause) => new Unauthorized(invalidToken, message, { cause })
  return authentication({ challenge: challenge(), proactive }, (context) => {
    const token = Authorization.credentials(context.request.header('Authorization'), 'Bearer')
    if (token === undefined) return undefined
    return Authorization.isToken68(token)
      ? toAuthenticationResult(verify(token, context), reject)
      : new BadRequest('expected one token after Bearer', {
          headers: { 'WWW-Authenticate': invalidRequest },
        })
  })
}
