/**
 * A filter for cross-origin requests (CORS).
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RequestContext, UriInfo } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { filters, withUndeclaredReplies } from '../endpoint/filter.ts'
import { Forbidden } from '../endpoint/http-error.ts'
import { priority } from '../endpoint/filter-order.ts'
import { preMatching } from '../endpoint/pre-matching.ts'
import type { Reply } from '../endpoint/reply.ts'
import { noContent, withHeader } from '../endpoint/reply.ts'
import { responseFilter } from '../endpoint/response-filter.ts'
import * as Grammar from '../http/grammar.ts'
import { priorities } from './priorities.ts'
import type { Origins } from './origins.ts'
import { originMatcher } from './origins.ts'
import { headersOf, withHeaders, withoutHeader } from './reply-headers.ts'

export interface CorsOptions {
  /**
   * The allowed origins, or `*` for all. An empty list allows only the service's own origin.
   *
   * Strings are origins as browsers send them, such as `https://example.com` without a trailing slash, or `null` for pages
   * without an origin. Regular expressions must match a complete origin.
   */
  readonly origins: Origins
  /** Methods that other origins may use. GET includes HEAD. Default: all methods. */
  readonly methods?: ReadonlyArray<string>
  /** Request headers that other origins may send, besides the CORS-safelisted ones. Default: all headers. */
  readonly headers?: ReadonlyArray<string>
  /** Response headers that pages may read, besides the CORS-safelisted ones. Default: none. */
  readonly exposedHeaders?: ReadonlyArray<string>
  /** Seconds for which browsers may cache the response to a preflight. Default: not sent, which most browsers treat as 5. */
  readonly maxAge?: number
  /** Whether browsers may send cookies and credentials. Not allowed with `*`. Default: false. */
  readonly credentials?: boolean
}

/**
 * Allows pages of the listed origins to use the service. Apply it to the root of the tree.
 *
 * - A request from an origin that is neither listed nor the service's own results in 403. Its handler does not run.
 * - Preflight requests result in 204, before routing.
 * - Every response has `Vary: Origin`. Error responses have the same CORS headers as others.
 * - For listed origins, the filter replaces the header `Access-Control-Allow-Origin` of a reply.
 *
 * The filter also prevents cross-site request forgery (CSRF), whatever the `SameSite` attribute of cookies: browsers send
 * `Origin` with every request other than GET and HEAD. With `origins: []`, this is its only effect.
 *
 * The service's own origin is that of the request URI. Behind a proxy that terminates TLS, list the public origin. Throws a
 * `TypeError` for invalid options.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { cors, get, handle, path, produces, routes, text, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const api = pipe(
 *   routes({ hello }),
 *   withFilter(cors({ origins: ['https://app.example', /https:\/\/pr-\d+\.app\.example/] })),
 * )
 * const send = (Origin: string) =>
 *   inMemory(api)(new Request('https://api.example/hello', { headers: { Origin } }))
 *
 * const { headers } = await send('https://pr-17.app.example')
 * assert.equal(headers.get('Access-Control-Allow-Origin'), 'https://pr-17.app.example')
 * assert.equal(headers.get('Vary'), 'Origin')
 * assert.equal((await send('https://app.example.evil.example')).status, 403)
 * assert.throws(() => cors({ origins: ['https://app.example/'] }), /use https:\/\/app\.example/)
 * ```
 */
export const cors = (options: CorsOptions): PlainFilter => {
  const { origins, credentials = false, exposedHeaders } = options
  if (origins === '*' && credentials)
    throw new TypeError('cors: credentials require a list of origins')
  const isListed = originMatcher(origins)
  const isAllowedMethod = methodPredicate(options.methods)
  const preflight = preflightReply(options)
  const common = headersOf([
    ['Access-Control-Allow-Credentials', credentials ? 'true' : undefined],
    ...vary,
  ])
  const actual = headersOf([['Access-Control-Expose-Headers', joinNames(exposedHeaders)]])
  return pipe(
    filters(
      preMatching(({ request, uri }) => {
        const origin = request.header('origin')
        if (origin === undefined) return undefined
        if (!isListed(origin) && !isOwnOrigin(origin, uri)) return forbiddenOrigin(origin)
        if (isPreflight(request)) return preflight(request)
        return isAllowedMethod(request.method) || isOwnOrigin(origin, uri)
          ? undefined
          : forbiddenMethod(request.method)
      }),
      responseFilter((replied, { request }) => {
        const origin = request.header('origin')
        if (origin === undefined || !isListed(origin)) return withHeaders(replied, varyHeader)
        const allowed = [allowOrigin, origins === '*' ? '*' : origin]
        const exposed = isPreflight(request) ? [] : actual
        return withHeaders(withoutHeader(replied, allowOrigin), [...allowed, ...common, ...exposed])
      }),
    ),
    priority(priorities.cors),
    withUndeclaredReplies,
  )
}

const allowOrigin = 'Access-Control-Allow-Origin'
const vary = [['Vary', 'Origin']] as const
const varyHeader = headersOf(vary)

const forbiddenOrigin = (origin: string): Forbidden =>
  new Forbidden(`origin ${origin} is not allowed`, {
    detail: 'Pages of this origin may not use the service.',
  })

const forbiddenMethod = (method: string): Forbidden =>
  new Forbidden(`method ${method} is not allowed for other origins`, {
    detail: 'Pages of other origins may not use this method.',
  })

/** Whether an origin is that of the service. Without an authority in the request, the service's origin is unknown. */
const isOwnOrigin = (origin: string, uri: UriInfo): boolean =>
  pipe(
    O.tryCatch(() => uri.base.origin),
    O.exists((own) => own === origin),
  )

const isPreflight = ({ method, header }: RequestContext): boolean =>
  method === 'OPTIONS' &&
  (header('access-control-request-method') !== undefined ||
    header('access-control-request-headers') !== undefined)

const methodPredicate = (methods: CorsOptions['methods']): ((method: string) => boolean) => {
  if (methods === undefined) return () => true
  const allowed = new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)
  return (method) => allowed.has(method)
}

/** Creates the reply to a preflight request. Without a list, it allows the requested method and headers. */
const preflightReply = ({
  methods,
  headers,
  maxAge,
}: CorsOptions): ((request: RequestContext) => Reply<204, void>) => {
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
    throw new TypeError(
      `cors: maxAge must be a non-negative integer number of seconds, got ${maxAge}`,
    )
  const methodsFor = allowedNames(methods)
  const headersFor = allowedNames(headers)
  return ({ header }) =>
    [
      ['Allow-Methods', methodsFor(header('access-control-request-method'))],
      ['Allow-Headers', headersFor(header('access-control-request-headers'))],
      ['Max-Age', maxAge?.toString()],
    ].reduce<Reply<204, void>>(
      (replied, [name, value]) =>
        value === undefined ? replied : withHeader(`Access-Control-${name}`, value)(replied),
      noContent,
    )
}

/** Returns the listed names or, without a list, the requested ones. An empty list allows none. */
const allowedNames = (
  names: ReadonlyArray<string> | undefined,
): ((text: string | undefined) => string | undefined) => {
  if (names === undefined) return requestedNames
  const list = joinNames(names)
  return () => list
}

/** Returns the requested names. Texts that are not tokens are omitted. */
const requestedNames = (text: string | undefined): string | undefined => {
  const names = Grammar.splitList(text ?? '').filter(Grammar.isToken)
  return names.length === 0 ? undefined : names.join(', ')
}

/** Joins a list of names. Throws a `TypeError` for an invalid name. */
const joinNames = (names: ReadonlyArray<string> | undefined): string | undefined => {
  const invalid = names?.find((name) => !Grammar.isToken(name))
  if (invalid !== undefined)
    throw new TypeError(`cors: invalid method or header name ${JSON.stringify(invalid)}`)
  return names === undefined || names.length === 0 ? undefined : names.join(', ')
}
