/**
 * Follows redirects.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.4
 */
import * as E from 'fp-ts/lib/Either.js'
import * as Headers from '../../http/headers.ts'
import { parseUrl } from '../../http/parse-url.ts'
import type { ClientRequest, ClientResponse, Policy } from '../exchange.ts'
import { createPolicy, discardOutcome, originOf } from './policy.ts'

export interface FollowRedirectsOptions {
  /** Maximum number of redirects per call. Default: 5. */
  readonly max?: number
  /**
   * Methods of requests whose redirects are followed. Default: GET and HEAD.
   *
   * A 301, 302 or 303 changes POST to GET. A 303 changes every other method except HEAD to GET as well. 307 and 308 preserve the request.
   */
  readonly methods?: ReadonlyArray<string>
  /**
   * Additional headers that are not sent to another origin. Case-insensitive. `Authorization`, `Cookie`, `Host` and
   * `Proxy-Authorization` are never sent to another origin.
   */
  readonly credentials?: ReadonlyArray<string>
}

/**
 * Follows redirects with the statuses 301, 302, 303, 307 and 308.
 *
 * Credentials are sent only to the origin of the call, including those that inner policies would add. The call receives the redirect
 * itself as the response in these cases:
 *
 * - the number of redirects exceeds `max`, or the redirect leads to a URL that was requested before
 * - the redirect leads from HTTPS to HTTP, to another scheme, or to a URL with credentials
 * - the method is not listed in `methods`, or the redirect preserves a streamed body
 *
 * Browsers hide redirects from scripts, so this policy has no effect there. Throws a `RangeError` if `max` is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, responds, routes, temporaryRedirect, text } from 'espalier'
 * import { client, followRedirects } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const oldPath = pipe(
 *   path('/old'),
 *   get(),
 *   produces(text),
 *   responds(307),
 *   handle(() => temporaryRedirect('/new')),
 * )
 * const newPath = pipe(
 *   path('/new'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const api = routes({ oldPath, newPath })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [followRedirects()],
 * })
 * const result = await service.oldPath()()
 *
 * assert.ok(E.isRight(result))
 * assert.deepEqual([result.right.status, result.right.body], [200, 'Hello'])
 * ```
 */
export const followRedirects = ({
  max = 5,
  methods = ['GET', 'HEAD'],
  credentials = [],
}: FollowRedirectsOptions = {}): Policy => {
  if (!Number.isInteger(max) || max < 0)
    throw new RangeError(`followRedirects.max must be an integer of at least 0, got ${max}`)
  const rules: RedirectRules = {
    methods,
    credentials: ['Authorization', 'Cookie', 'Proxy-Authorization', ...credentials],
  }
  return createPolicy((next) => (original) => async () => {
    let request: ClientRequest = original
    const visited = new Set([targetOf(original)])
    for (let redirects = 0; ; redirects++) {
      const outcome = await next(request)()
      if (E.isLeft(outcome) || redirects >= max) return outcome
      const redirected = redirect(rules, request, outcome.right)
      if (redirected === undefined || visited.has(targetOf(redirected))) return outcome
      visited.add(targetOf(redirected))
      discardOutcome(outcome)
      request = redirected
    }
  })
}

const targetOf = ({ method, url }: ClientRequest): string => `${method} ${url}`

interface RedirectRules {
  readonly methods: ReadonlyArray<string>
  /** Headers that are not sent to another origin. */
  readonly credentials: ReadonlyArray<string>
}

/** Returns the request that follows a response, or `undefined` if the response is not a redirect or must not be followed. */
const redirect = (
  { methods, credentials }: RedirectRules,
  request: ClientRequest,
  response: ClientResponse,
): ClientRequest | undefined => {
  const { status } = response
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  if (!methods.includes(request.method)) return undefined
  const base = response.url || request.url
  const url = resolveLocation(Headers.first(response.headers, 'location'), base)
  if (url === undefined) return undefined
  const method = redirectedMethod(status, request.method)
  const keepsBody = method === request.method && status !== 303
  if (keepsBody && request.body?._tag === 'Pieces') return undefined
  const isOtherOrigin = originOf(url) !== originOf(request.url)
  const headers = [
    ...(keepsBody ? [] : contentHeaders),
    ...(isOtherOrigin ? ['Host', ...credentials] : []),
  ].reduce(Headers.without, request.headers)
  return {
    ...request,
    method,
    url,
    headers,
    body: keepsBody ? request.body : undefined,
    ...(isOtherOrigin ? { strayed: true } : {}),
  }
}

/** Headers that describe the request body (RFC 9110, 15.4). */
const contentHeaders: ReadonlyArray<string> = [
  'Content-Digest',
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Location',
  'Content-Type',
  'Digest',
  'Last-Modified',
]

/** Returns the method of the redirected request. 301 and 302 change POST to GET for historical reasons (RFC 9110, 15.4.2). */
const redirectedMethod = (status: number, method: string): string => {
  if (method === 'HEAD') return method
  return status === 303 || (status < 303 && method === 'POST') ? 'GET' : method
}

const resolveLocation = (location: string | undefined, base: string): string | undefined => {
  const url = location === undefined ? undefined : parseUrl(location, base)
  if (url === undefined) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || base.startsWith('https:')))
    return undefined
  // fragments are never sent
  url.hash = ''
  return url.href
}
