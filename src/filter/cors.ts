/**
 * A filter for cross-origin requests (CORS).
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import { checkList, checkOptions } from '../endpoint/internal/combinator.ts'
import { pipe } from 'fp-ts/lib/function.js'
import type { RequestContext } from '../endpoint/context.ts'
import type { PlainFilter } from '../endpoint/filter.ts'
import { filters, withUndeclaredReplies, responseFilter } from '../endpoint/filter.ts'
import { Forbidden } from '../endpoint/http-error.ts'
import { priority, withOrder } from '../endpoint/filter-order.ts'
import { preMatching } from '../endpoint/request-filter.ts'
import type { AnyReply, Reply } from '../endpoint/reply.ts'
import { noContent, withHeader } from '../endpoint/reply.ts'
import * as Grammar from '../http/grammar.ts'
import * as Headers from '../http/headers.ts'
import { priorities } from './authentication.ts'
import { headersOf, withHeaders, withoutHeader } from './reply-headers.ts'
import type { Origins } from './origins.ts'
import { isOwnOrigin, originMatcher, proxyHint } from './origins.ts'

/** Options for {@link cors}. */
export interface CorsOptions {
  /**
   * The allowed origins, or `*` for all origins. An empty list allows only the origin of the service itself.
   *
   * A string must be in the form sent by browsers, such as `https://example.com` without a trailing slash, or `null`
   * for pages without an origin. A regular expression must match the complete origin.
   */
  readonly origins: Origins
  /** Methods that pages from other origins are allowed to use. `GET` includes `HEAD`. Default: all methods. */
  readonly methods?: ReadonlyArray<string>
  /**
   * Request headers that pages from other origins are allowed to send, in addition to the CORS-safelisted headers.
   * Default: all headers.
   */
  readonly headers?: ReadonlyArray<string>
  /**
   * Response headers that pages from other origins are allowed to read, in addition to the CORS-safelisted headers.
   * Default: no additional headers.
   */
  readonly exposedHeaders?: ReadonlyArray<string>
  /**
   * Maximum time, in seconds, that browsers cache the response to a preflight request. By default, the service does not
   * specify a time, and most browsers cache the response for 5 seconds.
   */
  readonly maxAge?: number
  /**
   * Whether browsers are allowed to send cookies and other credentials. Cannot be combined with `origins: '*'`.
   * Default: `false`.
   */
  readonly credentials?: boolean
}

/**
 * Creates a filter that allows pages from the listed origins to use the service. Apply the filter to the root of the
 * tree, or to subtrees with different rules.
 *
 * - If the origin of a request is neither listed nor the origin of the service, the response is 403 and the handler
 *   does not run. The same applies if a page from another origin uses a method that is not listed in `methods`.
 * - Preflight requests result in a 204 response before routing, so operations do not need to handle them.
 * - Every response has the header `Vary: Origin`. Error responses have the same CORS headers as other responses.
 * - On the root, the filter is a pre-matching filter: it runs for all requests, before an operation is selected. `onlyFor` and
 *   `onlyWhere` cannot restrict it (`FW-FILTER-002`), so apply it to a subtree instead.
 * - On a subtree, the filter applies to the paths of its operations, including preflight requests and responses such as 405. If
 *   operations with the same path belong to different subtrees, the method determines which filter applies. Responses to unknown
 *   paths (404) have no CORS headers.
 * - On the root, requests that a server rejects before routing, such as those with a header section above the limit (431), have the
 *   same CORS headers, if the server has received their `Origin` header.
 * - For listed origins, the filter replaces the `Access-Control-Allow-Origin` header in a reply.
 *
 * The filter also prevents cross-site request forgery (CSRF). Browsers send the `Origin` header with all requests
 * except `GET` and `HEAD`, so the filter can reject requests from unlisted origins. The protection does not depend on
 * the `SameSite` attribute of cookies. For only this protection, use `csrf`, which also reads `Sec-Fetch-Site`.
 *
 * The origin of the service is taken from the request URI. If the service runs behind a proxy that terminates TLS, set
 * `fw.http.public-url` or `fw.http.proxy.trusted`, or list the public origin. Otherwise, the pages of the service itself are
 * rejected, and the log names these settings, at most once a minute. Throws a `TypeError` for invalid options.
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
  const {
    origins,
    credentials = false,
    methods,
    headers,
    exposedHeaders,
  } = checkOptions(
    'cors',
    ['origins', 'methods', 'headers', 'exposedHeaders', 'maxAge', 'credentials'],
    options,
  )
  for (const [name, list] of Object.entries({ methods, headers, exposedHeaders }))
    checkList('cors', name, list)
  if (origins === '*' && credentials)
    throw new TypeError(
      "cors: credentials cannot be combined with origins '*': list the allowed origins",
    )
  const isListed =
    origins === '*' ? () => true : originMatcher('cors', "'*' or a list of origins", origins)
  const isAllowedMethod = methodPredicate(methods)
  const preflight = preflightReply(options)
  const common = headersOf([['Access-Control-Allow-Credentials', credentials ? 'true' : undefined]])
  const actual = headersOf([['Access-Control-Expose-Headers', joinNames(exposedHeaders)]])
  const logHint = proxyHint('cors')
  const isReadable = (origin: string | undefined): origin is string =>
    origin !== undefined && isListed(origin)
  const readable = (origin: string): Headers.Headers => [
    allowOrigin,
    origins === '*' ? '*' : origin,
    ...common,
  ]
  return pipe(
    filters(
      preMatching((context) => {
        const { request, uri } = context
        const origin = request.header('origin')
        if (origin === undefined) return undefined
        if (!isListed(origin) && !isOwnOrigin(origin, uri)) {
          logHint(origin, context)
          return forbiddenOrigin(origin)
        }
        if (isPreflight(request)) return preflight(request)
        return isAllowedMethod(request.method) || isOwnOrigin(origin, uri)
          ? undefined
          : forbiddenMethod(request.method)
      }),
      responseFilter((replied, { request }) => {
        const origin = request.header('origin')
        const vary = variesByOrigin(replied) ? [] : varyHeader
        if (!isReadable(origin)) return withHeaders(replied, vary)
        const exposed = isPreflight(request) ? [] : actual
        return withHeaders(withoutHeader(replied, allowOrigin), [
          ...readable(origin),
          ...vary,
          ...exposed,
        ])
      }),
    ),
    priority(priorities.cors),
    withOrder(() => ({
      coversPaths: true,
      name: 'cors',
      rejectionHeaders: (origin) =>
        isReadable(origin) ? [...readable(origin), ...varyHeader, ...actual] : varyHeader,
    })),
    withUndeclaredReplies,
  )
}

const allowOrigin = 'Access-Control-Allow-Origin'
const varyHeader = headersOf([['Vary', 'Origin']])

/** Whether a reply already has `Vary: Origin`, for example, from another `cors` filter. */
const variesByOrigin = ({ headers }: AnyReply): boolean =>
  headers.length > 0 &&
  Headers.all(headers, 'vary')
    .flatMap(Grammar.splitList)
    .some((name) => name.toLowerCase() === 'origin')

const forbiddenOrigin = (origin: string): Forbidden =>
  new Forbidden(`origin ${origin} is not allowed`, {
    detail: 'Pages from this origin are not allowed to use the service.',
  })

const forbiddenMethod = (method: string): Forbidden =>
  new Forbidden(`method ${method} is not allowed in cross-origin requests`, {
    detail: 'Pages from other origins are not allowed to use this method.',
  })

const isPreflight = ({ method, header }: RequestContext): boolean =>
  method === 'OPTIONS' &&
  (header('access-control-request-method') !== undefined ||
    header('access-control-request-headers') !== undefined)

const methodPredicate = (methods: CorsOptions['methods']): ((method: string) => boolean) => {
  if (methods === undefined) return () => true
  const allowed = new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)
  return (method) => allowed.has(method)
}

/**
 * Creates a function that replies to preflight requests. If `methods` or `headers` is omitted, the reply allows the
 * requested method or headers.
 */
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

/**
 * Creates a function that returns the names to allow in a preflight response. These are the configured names or, if
 * `names` is `undefined`, the requested names. If `names` is empty, no names are allowed.
 */
const allowedNames = (
  names: ReadonlyArray<string> | undefined,
): ((text: string | undefined) => string | undefined) => {
  if (names === undefined) return requestedNames
  const list = joinNames(names)
  return () => list
}

/**
 * Returns the comma-separated names in a request header, excluding invalid names. Returns `undefined` if there are no
 * valid names.
 */
const requestedNames = (text: string | undefined): string | undefined => {
  const names = Grammar.splitList(text ?? '').filter(Grammar.isToken)
  return names.length === 0 ? undefined : names.join(', ')
}

/**
 * Joins method or header names with commas. Returns `undefined` if the list is missing or empty. Throws a `TypeError`
 * for an invalid name.
 */
const joinNames = (names: ReadonlyArray<string> | undefined): string | undefined => {
  const invalid = names?.find((name) => !Grammar.isToken(name))
  if (invalid !== undefined)
    throw new TypeError(`cors: invalid method or header name ${JSON.stringify(invalid)}`)
  return names === undefined || names.length === 0 ? undefined : names.join(', ')
}
