/**
 * Follows redirects without sending credentials to other origins.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.4
 */
import { checkOptions } from '../../endpoint/internal/combinator.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as Headers from '../../http/headers.ts'
import { parseUrl } from '../../http/host.ts'
import { createSecretTest } from '../call-failed.ts'
import type { ApiKey, ClientRequest, ClientResponse, Policy } from '../exchange.ts'
import { createPolicy, discardResponse, originOf } from './policy.ts'

/** Options for `followRedirects`. */
export interface FollowRedirectsOptions {
  /** Maximum number of redirects per call. Default: 5. */
  readonly max?: number
  /**
   * Request methods for which redirects are followed. Default: GET, HEAD and QUERY.
   *
   * A 301 or 302 response changes POST to GET. A 303 response changes every method except HEAD to GET. A 307 or 308
   * response preserves the method and the body.
   */
  readonly methods?: ReadonlyArray<string>
  /**
   * Names of additional headers that are not sent to other origins. Names are case-insensitive.
   *
   * The following headers are never sent to other origins: `Authorization`, `Cookie`, `Host`, `Proxy-Authorization`, API keys that
   * a filter of the contract declares, and headers whose names suggest a secret, such as `X-Auth-Token`.
   */
  readonly credentials?: ReadonlyArray<string>
  /**
   * Whether request bodies are sent to other origins. By default, a redirect to another origin that preserves the body is not
   * followed.
   */
  readonly crossOriginBodies?: boolean
}

/**
 * Follows redirects with the statuses 301, 302, 303, 307 and 308.
 *
 * Credentials are sent only to the origin of the call. This rule also applies to credentials added by inner policies, and to declared
 * API keys in the query of the new location.
 * In the following cases, a redirect is not followed, and the call receives the redirect response itself:
 *
 * - The number of redirects exceeds `max`.
 * - The redirect leads to a URL that has already been requested with the same method.
 * - The redirect leads from HTTPS to HTTP, to a scheme other than HTTP and HTTPS, or to a URL with credentials.
 * - The method is not listed in `methods`.
 * - A body would need to be sent to another origin, and `crossOriginBodies` is not set.
 * - A streamed body would need to be sent again. If the operation does not declare the redirect, `fetch` reports a
 *   `NetworkError` instead.
 *
 * To send a `Blob` or a form again, `fetch` keeps a copy of the body in memory. `undiciTransport` does not need a copy.
 *
 * Browsers hide redirects from scripts. This policy therefore has no effect in browsers. Throws a `RangeError` if `max`
 * is invalid.
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
export const followRedirects = (options: FollowRedirectsOptions = {}): Policy => {
  const {
    max = 5,
    methods = ['GET', 'HEAD', 'QUERY'],
    credentials = [],
    crossOriginBodies = false,
  } = checkOptions(
    'followRedirects',
    ['max', 'methods', 'credentials', 'crossOriginBodies'],
    options,
  )
  if (!Number.isInteger(max) || max < 0)
    throw new RangeError(`followRedirects.max must be a non-negative integer, got ${max}`)
  const rules: RedirectRules = {
    methods,
    isCredential: createSecretTest(credentials),
    crossOriginBodies,
  }
  return createPolicy((next) => (original) => async () => {
    let request: ClientRequest = original
    const visited = new Set([targetOf(original)])
    for (let redirects = 0; ; redirects++) {
      const result = await next(expectRedirect(rules, request))()
      if (E.isLeft(result) || redirects >= max) return result
      const redirected = redirect(rules, request, result.right)
      if (redirected === undefined || visited.has(targetOf(redirected))) return result
      visited.add(targetOf(redirected))
      discardResponse(result)
      request = redirected
    }
  })
}

const targetOf = ({ method, url }: ClientRequest): string => `${method} ${url}`

/** Validated options of `followRedirects`. */
interface RedirectRules {
  readonly methods: ReadonlyArray<string>
  /** Whether a header with this name is not sent to other origins. */
  readonly isCredential: (name: string) => boolean
  readonly crossOriginBodies: boolean
}

/**
 * Requires the transport to return a redirect as a response. A streamed body cannot be sent again, so a redirect of such a
 * request is not followed, and `fetch` need not keep a copy of the body.
 */
const expectRedirect = ({ methods }: RedirectRules, request: ClientRequest): ClientRequest =>
  request.mayRedirect !== false ||
  request.body?._tag === 'Streamed' ||
  !methods.includes(request.method)
    ? request
    : { ...request, mayRedirect: true }

/**
 * Creates the request for the target of a redirect. Returns `undefined` if the response is not a redirect or the
 * redirect must not be followed.
 */
const redirect = (
  { methods, isCredential, crossOriginBodies }: RedirectRules,
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
  if (keepsBody && request.body?._tag === 'Streamed') return undefined
  const isOtherOrigin = originOf(url) !== originOf(request.url)
  if (isOtherOrigin && keepsBody && request.body !== undefined && !crossOriginBodies)
    return undefined
  const headers = (keepsBody ? [] : contentHeaders).reduce(Headers.without, request.headers)
  const redirected = { ...request, method, body: keepsBody ? request.body : undefined }
  if (!isOtherOrigin) return { ...redirected, url, headers }
  const { apiKeys = [] } = request.operation
  const namesOf = (place: ApiKey['in']): ReadonlyArray<string> =>
    apiKeys.flatMap((key) => (key.in === place ? [key.name] : []))
  return {
    ...redirected,
    url: withoutQueryParameters(url, namesOf('query')),
    headers: [
      'Host',
      ...namesOf('header'),
      ...headers.filter((name, index) => index % 2 === 0 && isCredential(name)),
    ].reduce(Headers.without, headers),
    crossOrigin: true,
  }
}

/** Removes query parameters. The rest of the query is unchanged. */
const withoutQueryParameters = (url: string, names: ReadonlyArray<string>): string => {
  const start = url.indexOf('?')
  if (start === -1 || names.length === 0) return url
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => ![...new URLSearchParams(pair).keys()].some((name) => names.includes(name)))
  return kept.length === 0 ? url.slice(0, start) : `${url.slice(0, start)}?${kept.join('&')}`
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

/**
 * Returns the method of the redirected request. For historical reasons, 301 and 302 change POST to GET (RFC 9110,
 * 15.4.2).
 */
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
