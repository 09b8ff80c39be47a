/**
 * HTTP Basic authentication.
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
  /** The protection space. Browsers may display it, and store credentials per realm. */
  readonly realm: string
  /** Returns the principal of the credentials. Compare secrets with `sameSecret` of `espalier/node`. */
  readonly verify: (credentials: BasicCredentials, context: Context) => Verified
  /** Whether 401 responses to requests without credentials have no challenge, so that browsers open no dialog. Default: false. */
  readonly silent?: boolean
  /** Whether invalid credentials are rejected for operations without authentication, too. Default: true. */
  readonly proactive?: boolean
}

/**
 * Authenticates requests by user name and password (RFC 7617, in UTF-8). Malformed credentials, and those that `verify` rejects,
 * result in 401.
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
 * const send = (headers: Record<string, string>) => call(new Request('http://localhost/loans', { headers }))
 *
 * assert.equal(await (await send({ Authorization: `Basic ${btoa('ann:plum')}` })).text(), 'Loans, for ann')
 * assert.equal((await send({ Authorization: `Basic ${btoa('ann:pear')}` })).status, 401)
 * assert.equal((await send({})).headers.get('WWW-Authenticate'), 'Basic realm="library", charset="UTF-8"')
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
  const reject: Reject = (message, cause) => new Unauthorized(challenge, message, { cause })
  return authentication({ challenge, silent, proactive }, (context) => {
    const sent = Authorization.credentials(context.request.header('Authorization'), 'Basic')
    if (sent === undefined) return undefined
    const credentials = Credentials.parse(sent)
    return O.isNone(credentials)
      ? reject('malformed credentials')
      : toAuthenticationResult(verify(credentials.value, context), reject)
  })
}
