/** Goes where responses send it. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Policy } from '../exchange.ts'
import { discard } from './outcome.ts'
import { policy } from './policy.ts'
import type { RedirectRules } from './redirect.ts'
import { redirected } from './redirect.ts'

export interface FollowRedirectsOptions {
  /** So many redirects are followed for one call; 5 unless it is said. */
  readonly max?: number
  /**
   * The methods of requests that are led on; GET and HEAD unless it is said. A POST becomes a GET behind 301, 302 and 303, every
   * method but HEAD becomes one behind 303; 307 and 308 leave the request as it is.
   */
  readonly methods?: ReadonlyArray<string>
  /** Further fields, in any case, that do not leave their origin; `Authorization`, `Cookie`, `Host` and `Proxy-Authorization` never do. */
  readonly credentials?: ReadonlyArray<string>
}

/**
 * Follows 301, 302, 303, 307 and 308. A redirect that is not followed is the response: the one over `max`, one that leads in a
 * circle, from HTTPS to HTTP, to anything that is not HTTP, or to a URL with credentials in it. Credentials stay with the origin
 * of the call, also those that policies further inside would add.
 *
 * Browsers do not show redirects to scripts: there `fetch` follows them itself, or not at all. Throws a `RangeError` for a
 * `max` that is no number of redirects.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, responds, routes, temporaryRedirect, text } from 'espalier'
 * import { client, followRedirects } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const old = pipe(
 *   path('/old'),
 *   get(),
 *   produces(text),
 *   responds(307),
 *   handle(() => temporaryRedirect('/new')),
 * )
 * const fresh = pipe(
 *   path('/new'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Here I am'),
 * )
 * const api = routes({ old, fresh })
 * const agile = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [followRedirects()],
 * })
 * const answer = await agile.old()()
 *
 * assert.ok(E.isRight(answer))
 * assert.deepEqual([answer.right.status, answer.right.body], [200, 'Here I am'])
 * ```
 */
export const followRedirects = ({
  max = 5,
  methods = ['GET', 'HEAD'],
  credentials = [],
}: FollowRedirectsOptions = {}): Policy => {
  if (!Number.isInteger(max) || max < 0)
    throw new RangeError('followRedirects.max is a whole number of 0 or more')
  const rules: RedirectRules = {
    methods,
    credentials: ['Authorization', 'Cookie', 'Proxy-Authorization', ...credentials],
  }
  return policy((next) => (first) => async () => {
    let request: ClientRequest = first
    const been = new Set([place(first)])
    for (let followed = 0; ; followed++) {
      const outcome = await next(request)()
      if (E.isLeft(outcome) || followed >= max) return outcome
      const further = redirected(rules, request, outcome.right)
      if (further === undefined || been.has(place(further))) return outcome
      been.add(place(further))
      discard(outcome)
      request = further
    }
  })
}

const place = ({ method, url }: ClientRequest): string => `${method} ${url}`
