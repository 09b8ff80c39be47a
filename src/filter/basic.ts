/**
 * Authentication by name and password.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
import * as O from 'fp-ts/lib/Option.js'
import { authentication } from '../endpoint/authentication.ts'
import type { Context } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { Unauthorized } from '../endpoint/http-error.ts'
import * as Authorization from '../http/authorization.ts'
import type { BasicCredentials } from '../http/basic-credentials.ts'
import * as Credentials from '../http/basic-credentials.ts'
import * as Challenge from '../http/challenge.ts'
import type { Reject, Verified } from './verification.ts'
import { toAuthenticationResult } from './verification.ts'

export interface BasicOptions {
  /** What browsers show, and keep credentials for. */
  readonly realm: string
  /** Says whose credentials these are. Compare secrets with `sameSecret` of `espalier/node`. */
  readonly verify: (credentials: BasicCredentials, context: Context) => Verified
  /** Whether a request without credentials is answered without the challenge, so that browsers open no dialogue; `false` unless it is said. */
  readonly silent?: boolean
  /** Whether bad credentials are refused where anybody may call, too; `true` unless it is said. */
  readonly proactive?: boolean
}

/**
 * Knows people by name and password (RFC 7617, in UTF-8). Whom `verify` does not know is answered with 401, and so are
 * credentials that cannot be read.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { basic, get, handle, path, produces, rolesAllowed, routes, text, withFilter } from 'espalier'
 * import { sameSecret } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const staff = basic({
 *   realm: 'library',
 *   verify: ({ user, password }) =>
 *     user === 'ann' && sameSecret(password, 'plum') ? { name: user, roles: ['librarian'] } : undefined,
 * })
 * const loans = pipe(
 *   path('/loans'),
 *   get(),
 *   rolesAllowed('librarian'),
 *   produces(text),
 *   handle((_, { security }) => `Loans, for ${security.principal?.name}`),
 * )
 * const call = inMemory(pipe(routes({ loans }), withFilter(staff)))
 * const ask = (headers: Record<string, string>) => call(new Request('http://localhost/loans', { headers }))
 *
 * assert.equal(await (await ask({ Authorization: `Basic ${btoa('ann:plum')}` })).text(), 'Loans, for ann')
 * assert.equal((await ask({ Authorization: `Basic ${btoa('ann:pear')}` })).status, 401)
 * assert.equal((await ask({})).headers.get('WWW-Authenticate'), 'Basic realm="library", charset="UTF-8"')
 * ```
 */
export const basic = ({
  realm,
  verify,
  silent = false,
  proactive = true,
}: BasicOptions): PlainFilter => {
  const challenge = Challenge.format('Basic', [
    ['realm', realm],
    ['charset', 'UTF-8'],
  ])
  const refuse: Reject = (message, cause) => new Unauthorized(challenge, message, { cause })
  return authentication({ challenge, silent, proactive }, (context) => {
    const sent = Authorization.credentials(context.request.header('Authorization'), 'Basic')
    if (sent === undefined) return undefined
    const credentials = Credentials.parse(sent)
    return O.isNone(credentials)
      ? refuse('the credentials are malformed')
      : toAuthenticationResult(verify(credentials.value, context), refuse)
  })
}
