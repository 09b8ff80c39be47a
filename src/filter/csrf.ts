/**
 * A filter that protects against cross-site request forgery (CSRF).
 *
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
import { checkOptions } from '../endpoint/internal/combinator.ts'
import { pipe } from 'fp-ts/lib/function.js'
import type { Context } from '../endpoint/context.ts'
import type { Filter } from '../endpoint/filter.ts'
import { makeFilter } from '../endpoint/filter.ts'
import { nonBlocking } from '../endpoint/operation-attributes.ts'
import { Forbidden } from '../endpoint/http-error.ts'
import { onlyWhere, priority, withOrder } from '../endpoint/filter-order.ts'
import { problem } from '../endpoint/problem.ts'
import type { ProblemDocument } from '../endpoint/problem.ts'
import type { Reply } from '../endpoint/reply.ts'
import { requestFilter } from '../endpoint/request-filter.ts'
import { safeMethods } from '../http/method.ts'
import { priorities } from './authentication.ts'
import type { Origins } from './origins.ts'
import { isOwnOrigin, originMatcher, proxyHint } from './origins.ts'

/** Options for {@link csrf}. */
export interface CsrfOptions {
  /**
   * Other origins whose pages are allowed to send unsafe requests, in the form of the `origins` of `cors`. `null` cannot be listed,
   * because pages of every site can send it. Default: none.
   */
  readonly origins?: Exclude<Origins, '*'>
  /**
   * Whether pages of other origins of the same site are allowed to send unsafe requests, such as those of `www.example.com` for
   * `api.example.com`. Requires that the pages of all subdomains are trusted, and a browser that sends `Sec-Fetch-Site`. Default: `false`.
   */
  readonly sameSite?: boolean
}

/**
 * Creates a filter that rejects requests with which pages of other origins could act on behalf of a user (cross-site request forgery).
 * The response is 403, and neither the body is read nor the handler runs.
 *
 * The filter runs for the operations of a tree with unsafe methods: all methods except GET, HEAD, OPTIONS, TRACE and QUERY, whose
 * handlers must not change anything. The first matching row applies:
 *
 * | request | result |
 * |---|---|
 * | `Sec-Fetch-Site` is `same-origin` or `none` | accepted |
 * | `Sec-Fetch-Site` is `same-site`, and `sameSite` is `true` | accepted |
 * | `Origin` is listed in `origins` | accepted |
 * | any other `Sec-Fetch-Site` | rejected |
 * | `Origin` is the origin of the service | accepted |
 * | any other `Origin` | rejected |
 * | neither header | accepted, because the client is not a browser |
 *
 * Browsers send `Sec-Fetch-Site` to services with TLS and to `localhost`. For all others, the origin of the service is taken from the
 * request URI, as with `cors`: behind a proxy that terminates TLS, set `fw.http.public-url` or `fw.http.proxy.trusted`.
 *
 * The filter runs before authentication filters. To exempt operations that other services call with a signature, such as webhooks,
 * apply it to the tree of the other operations. Throws a `TypeError` for an invalid origin.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { csrf, handle, path, post, routes, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const pay = pipe(
 *   path('/payments'),
 *   post(),
 *   handle(() => {}),
 * )
 * const notified = pipe(
 *   path('/webhooks/bank'),
 *   post(),
 *   handle(() => {}),
 * )
 * const api = routes({ pages: pipe(routes({ pay }), withFilter(csrf())), notified })
 * const send = inMemory(api)
 * const statusOf = async (target: string, site: string) =>
 *   (await send(`https://bank.example${target}`, { method: 'POST', headers: { 'Sec-Fetch-Site': site } })).status
 *
 * assert.equal(await statusOf('/payments', 'same-origin'), 204)
 * assert.equal(await statusOf('/payments', 'cross-site'), 403)
 * assert.equal(await statusOf('/webhooks/bank', 'cross-site'), 204)
 * ```
 */
export const csrf = (
  options: CsrfOptions = {},
): Filter<unknown, unknown, Reply<403, ProblemDocument>> => {
  const { origins = [], sameSite = false } = checkOptions('csrf', ['origins', 'sameSite'], options)
  if (Array.isArray(origins) && origins.includes('null'))
    throw new TypeError(
      "csrf: invalid origin 'null': pages of every site can send it from a sandboxed frame",
    )
  const isListed = originMatcher('csrf', 'a list of origins', origins)
  const logHint = proxyHint('csrf')
  const isForged = (context: Context): boolean => {
    const { request, uri } = context
    const site = request.header('sec-fetch-site') ?? ''
    if (site === 'same-origin' || site === 'none' || (sameSite && site === 'same-site'))
      return false
    const origin = request.header('origin') ?? ''
    if (isListed(origin)) return false
    if (site !== '') return true
    if (origin === '' || isOwnOrigin(origin, uri)) return false
    logHint(origin, context)
    return true
  }
  return pipe(
    requestFilter({ fails: { 403: problem } }, (context) =>
      isForged(context)
        ? new Forbidden(`cross-origin ${context.request.method} request`, {
            detail: 'Pages of other origins are not allowed to send this request.',
          })
        : undefined,
    ),
    onlyWhere(({ method }) => !safeMethods.includes(method)),
    priority(priorities.csrf),
    withOrder(() => ({ name: 'csrf' })),
    nonBlocking,
    makeFilter<unknown, unknown, Reply<403, ProblemDocument>>,
  )
}
