/** Authentication by API keys. */
import { authentication } from '../endpoint/authentication.ts'
import type { Context } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { Unauthorized } from '../endpoint/http-error.ts'
import * as Challenge from '../http/challenge.ts'
import * as Grammar from '../http/grammar.ts'
import type { Reject, Verified } from './verification.ts'
import { toAuthenticationResult } from './verification.ts'

/** The location of the key: a header, a cookie, or a query parameter. Queries occur in logs and browser histories. */
export type ApiKeyPlace =
  | { readonly header: string; readonly query?: never; readonly cookie?: never }
  | { readonly query: string; readonly header?: never; readonly cookie?: never }
  | { readonly cookie: string; readonly header?: never; readonly query?: never }

export type ApiKeyOptions = ApiKeyPlace & {
  /** Returns the principal of a non-empty key. Compare keys with `sameSecret` of `espalier/node`. */
  readonly verify: (key: string, context: Context) => Verified
  /** Whether invalid keys are rejected for operations without authentication, too. Default: true. */
  readonly proactive?: boolean
}

/**
 * Authenticates requests by a key in a header, a cookie or the query.
 *
 * Keys that are empty, or that `verify` rejects, result in 401. No authentication scheme is registered for API keys, so the
 * challenge is `ApiKey` with the location of the key. Throws a `TypeError` for an invalid header or cookie name.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { apiKey, authenticated, get, handle, path, produces, routes, text, withFilter } from 'espalier'
 * import { sameSecret } from 'espalier/node'
 * import { inMemory } from 'espalier/testing'
 *
 * const partners = apiKey({
 *   header: 'X-Api-Key',
 *   verify: (key) => (sameSecret(key, '9f2c') ? { name: 'kew', roles: ['partner'] } : undefined),
 * })
 * const me = pipe(
 *   path('/me'),
 *   get(),
 *   authenticated,
 *   produces(text),
 *   handle((_, { security }) => security.principal?.name ?? ''),
 * )
 * const call = inMemory(pipe(routes({ me }), withFilter(partners)))
 * const send = (headers: Record<string, string>) => call(new Request('http://localhost/me', { headers }))
 *
 * assert.equal(await (await send({ 'X-Api-Key': '9f2c' })).text(), 'kew')
 * assert.equal((await send({})).headers.get('WWW-Authenticate'), 'ApiKey header="X-Api-Key"')
 * ```
 */
export const apiKey = ({ verify, proactive = true, ...location }: ApiKeyOptions): PlainFilter => {
  const [kind, name, find] = finderOf(location)
  const challenge = Challenge.format('ApiKey', [[kind, name]])
  const reject: Reject = (message, cause) => new Unauthorized(challenge, message, { cause })
  return authentication({ challenge, proactive }, (context) => {
    const key = find(context)
    if (key === undefined) return undefined
    return key === ''
      ? reject('empty API key')
      : toAuthenticationResult(verify(key, context), reject)
  })
}

type Find = (context: Context) => string | undefined

const finderOf = (location: ApiKeyPlace): readonly [kind: string, name: string, find: Find] => {
  if (location.header !== undefined) {
    const header = validateName(location.header)
    return ['header', header, ({ request }) => request.header(header)]
  }
  if (location.query !== undefined) {
    const { query } = location
    return ['query', query, ({ uri }) => uri.queryParameters.get(query)?.[0]]
  }
  const cookie = validateName(location.cookie)
  return ['cookie', cookie, ({ request }) => request.cookie(cookie)]
}

const validateName = (name: string): string => {
  if (Grammar.isToken(name)) return name
  throw new TypeError(`apiKey: invalid header or cookie name ${JSON.stringify(name)}`)
}
