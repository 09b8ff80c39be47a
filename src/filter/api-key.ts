/** Authentication by a key that a program has been given, in a place of the service's own choice. */
import { authentication } from '../endpoint/authentication.ts'
import type { Context } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { Unauthorized } from '../endpoint/http-error.ts'
import * as Challenge from '../http/challenge.ts'
import * as Grammar from '../http/grammar.ts'
import type { Reject, Verified } from './verification.ts'
import { toAuthenticationResult } from './verification.ts'

/** Where the key stands: one of three. A query is written into logs and histories, so it is the last choice. */
export type ApiKeyPlace =
  | { readonly header: string; readonly query?: never; readonly cookie?: never }
  | { readonly query: string; readonly header?: never; readonly cookie?: never }
  | { readonly cookie: string; readonly header?: never; readonly query?: never }

export type ApiKeyOptions = ApiKeyPlace & {
  /** Says whose key this is; it is never empty. Compare keys with `sameSecret` of `espalier/node`. */
  readonly verify: (key: string, context: Context) => Verified
  /** Whether a bad key is refused where anybody may call, too; `true` unless it is said. */
  readonly proactive?: boolean
}

/**
 * Knows programs by a key in a header field, in the query or in a cookie. A key that `verify` does not know is answered with
 * 401, and so is an empty one. No registered scheme tells of such keys: the challenge is `ApiKey` with the place. Throws a
 * `TypeError` for the name of a field or cookie that is none.
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
 * const ask = (headers: Record<string, string>) => call(new Request('http://localhost/me', { headers }))
 *
 * assert.equal(await (await ask({ 'X-Api-Key': '9f2c' })).text(), 'kew')
 * assert.equal((await ask({})).headers.get('WWW-Authenticate'), 'ApiKey header="X-Api-Key"')
 * ```
 */
export const apiKey = ({ verify, proactive = true, ...place }: ApiKeyOptions): PlainFilter => {
  const [kind, name, find] = finding(place)
  const challenge = Challenge.format('ApiKey', [[kind, name]])
  const refuse: Reject = (message, cause) => new Unauthorized(challenge, message, { cause })
  return authentication({ challenge, proactive }, (context) => {
    const key = find(context)
    if (key === undefined) return undefined
    return key === ''
      ? refuse('the key is empty')
      : toAuthenticationResult(verify(key, context), refuse)
  })
}

type Find = (context: Context) => string | undefined

const finding = (place: ApiKeyPlace): readonly [kind: string, name: string, find: Find] => {
  if (place.header !== undefined) {
    const header = named(place.header)
    return ['header', header, ({ request }) => request.header(header)]
  }
  if (place.query !== undefined) {
    const { query } = place
    return ['query', query, ({ uri }) => uri.queryParameters.get(query)?.[0]]
  }
  const cookie = named(place.cookie)
  return ['cookie', cookie, ({ request }) => request.cookie(cookie)]
}

const named = (name: string): string => {
  if (Grammar.isToken(name)) return name
  throw new TypeError(`${JSON.stringify(name)} is the name of no header field and of no cookie`)
}
