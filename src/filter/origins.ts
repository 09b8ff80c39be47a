/** Origins of pages: the ones that an option lists, and the origin of the service itself. */
import { describeValue } from '../endpoint/definition/describe-value.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as RedosCheck from '../regex-safety/redos-check.ts'
import { parseUrl } from '../http/host.ts'
import { pipe } from 'fp-ts/lib/function.js'
import type { CommonContext, RequestContext, UriInfo } from '../endpoint/context.ts'
import { isRegExp } from '../http/platform-value.ts'

/**
 * The origins that are allowed to use the service: all origins (`*`), or a list. The list contains `Origin` header
 * values, such as `https://example.com`, `http://localhost:3000` or `null`, and regular expressions.
 */
export type Origins = '*' | ReadonlyArray<string | RegExp>

/** A function that returns whether an origin is allowed. */
export type OriginPredicate = (origin: string) => boolean

/**
 * Creates a predicate that accepts the listed origins. `expected` describes the option of `filter` in error messages.
 *
 * Throws a `TypeError` for an invalid origin. Also throws a `TypeError` for a regular expression that matches every origin or is
 * vulnerable to ReDoS (regular expression denial of service).
 */
export const originMatcher = (
  filter: string,
  expected: string,
  origins: Exclude<Origins, '*'>,
): OriginPredicate => {
  if (!Array.isArray(origins)) {
    const hint = typeof origins === 'string' ? ': write [origin]' : ''
    throw new TypeError(
      `${filter}: invalid origins: expected ${expected}, got ${describeValue(origins)}${hint}`,
    )
  }
  const exact = new Set(
    origins.flatMap((origin) => (typeof origin === 'string' ? [validateOrigin(origin)] : [])),
  )
  const expressions = origins.flatMap((origin) =>
    typeof origin === 'string' ? [] : [anchor(filter, origin)],
  )
  return (origin) =>
    exact.has(origin) ||
    (expressions.length > 0 &&
      isOrigin(origin) &&
      expressions.some((expression) => expression.test(origin)))
}

/**
 * Maximum length of an origin that is tested against regular expressions. Valid origins are shorter, because host names
 * have at most 253 characters.
 */
const maxLength = 300

const isOrigin = (text: string): boolean =>
  text.length <= maxLength &&
  /^[a-z][a-z\d+.-]*:\/\/(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/.test(text)

/**
 * Validates an origin and returns it unchanged. Throws a `TypeError` unless the origin is in the normalized form sent
 * by browsers, because any other form would never match.
 */
const validateOrigin = (origin: string): string => {
  if (origin === 'null') return origin
  const parsed = parseUrl(origin)
  const normalized = parsed?.origin === 'null' ? origin : parsed?.origin
  if (origin === normalized && isOrigin(origin)) return origin
  const hint = normalized !== undefined && isOrigin(normalized) ? `: use ${normalized}` : ''
  throw new TypeError(
    origin === '*'
      ? "invalid origin '*' in a list: to allow all origins, set origins to '*'"
      : `invalid origin ${JSON.stringify(origin)}${hint}`,
  )
}

/** Sample origins for detecting regular expressions that match arbitrary hosts. */
const unspecificOrigins = ['https://any.invalid', 'http://a.invalid:1']

/**
 * Returns a stateless copy of a regular expression that matches only complete strings. Throws a `TypeError` if the
 * expression is vulnerable to ReDoS or matches every origin.
 */
const anchor = (filter: string, listed: RegExp): RegExp => {
  if (!isRegExp(listed))
    throw new TypeError(
      `${filter}: invalid origin: expected a string or a regular expression, got ${describeValue(listed)}`,
    )
  const { source, flags } = listed
  const expression = new RegExp(`^(?:${source})$`, flags.replace(/[gmy]/g, ''))
  const limit = RedosCheck.lengthLimit(expression)
  if (limit.maxLength < maxLength && O.isSome(limit.diagnostic))
    throw new TypeError(
      `/${source}/: ${RedosCheck.remedy(limit.diagnostic.value)}${RedosCheck.format(limit.diagnostic.value)}`,
    )
  if (unspecificOrigins.some((origin) => expression.test(origin)))
    throw new TypeError(`/${source}/ matches every origin: specify the hosts`)
  return expression
}

/**
 * Whether an origin is the origin of the service itself. Returns `false` if the request has no authority, because the
 * origin of the service is then unknown.
 */
export const isOwnOrigin = (origin: string, uri: UriInfo): boolean =>
  pipe(
    O.tryCatch(() => uri.base.origin),
    O.exists((serviceOrigin) => serviceOrigin === origin),
  )

/**
 * Whether a rejected origin is probably that of the service, as clients of a proxy see it: it has the same host, but the proxy ends
 * TLS, or the proxy forwards the host in a header that the service does not trust.
 */
const isBehindProxy = (origin: string, { header }: RequestContext, uri: UriInfo): boolean => {
  const page = parseUrl(origin)
  const base = O.toUndefined(O.tryCatch(() => uri.base))
  if (page === undefined) return false
  const hasSameHost = page.hostname === base?.hostname
  return (
    (hasSameHost && page.protocol === 'https:' && base.protocol === 'http:') ||
    (!hasSameHost && header('x-forwarded-host') === page.host)
  )
}

/** The minimum time between two hints, in milliseconds. */
const hintInterval = 60_000

/**
 * Creates a function that is called with each rejected origin. If it is probably that of the service, the function logs how to configure
 * the origin of the service, at most once a minute.
 */
export const proxyHint = (
  filter: string,
): ((origin: string, context: Pick<CommonContext, 'request' | 'uri' | 'logger'>) => void) => {
  let lastTime = -Infinity
  return (origin, { request, uri, logger }) => {
    const now = Date.now()
    if (now - lastTime < hintInterval || !isBehindProxy(origin, request, uri)) return
    lastTime = now
    logger(filter).warn(
      {},
      'A page of the host of the service was rejected, because its scheme or host differs from the one that the service knows. If a proxy ends TLS, set fw.http.public-url to the public URL, or set fw.http.proxy.trusted to the address of the proxy, which must send X-Forwarded-Proto and X-Forwarded-Host.',
    )
  }
}
