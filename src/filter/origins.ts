/**
 * Lists of allowed origins for CORS.
 *
 * Regular expressions are supported for origins that cannot be listed, such as those of preview deployments. The alternative, an
 * application that returns any requested origin, is insecure. Expressions must match a complete origin, and are not tested
 * against `null`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6454#section-6.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as RedosCheck from '../regex-safety/redos-check.ts'
import { parseUrl } from '../http/parse-url.ts'

/** All origins, or a list of values of the `Origin` header such as `https://example.com`, `http://localhost:3000` or `null`. */
export type Origins = '*' | ReadonlyArray<string | RegExp>

/** Whether an origin is allowed. */
export type OriginPredicate = (origin: string) => boolean

/**
 * Creates a predicate for a list of origins. Throws a `TypeError` for an invalid origin, for an expression that matches any origin,
 * and for an expression that is vulnerable to ReDoS.
 */
export const originMatcher = (origins: Origins): OriginPredicate => {
  if (origins === '*') return () => true
  const exact = new Set(
    origins.flatMap((origin) => (typeof origin === 'string' ? [validateOrigin(origin)] : [])),
  )
  const expressions = origins.flatMap((origin) =>
    typeof origin === 'string' ? [] : [anchored(origin)],
  )
  return (origin) =>
    exact.has(origin) ||
    (expressions.length > 0 &&
      isOrigin(origin) &&
      expressions.some((expression) => expression.test(origin)))
}

/** Host names have at most 253 characters. Expressions are not tested against longer origins. */
const maxLength = 300

const isOrigin = (text: string): boolean =>
  text.length <= maxLength &&
  /^[a-z][a-z\d+.-]*:\/\/(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/.test(text)

/** Browsers send origins in a normalized form. Any other form would match nothing. */
const validateOrigin = (origin: string): string => {
  if (origin === 'null') return origin
  const parsed = parseUrl(origin)
  const normalized = parsed?.origin === 'null' ? origin : parsed?.origin
  if (origin === normalized && isOrigin(origin)) return origin
  const hint = normalized !== undefined && isOrigin(normalized) ? `: use ${normalized}` : ''
  throw new TypeError(
    origin === '*'
      ? "invalid origin '*' in a list: use origins: '*'"
      : `invalid origin ${JSON.stringify(origin)}${hint}`,
  )
}

/** Origins that no specific expression matches. */
const unspecificOrigins = ['https://anybody.invalid', 'http://a.invalid:1']

/** Returns an expression that matches complete texts only and has no state. */
const anchored = (given: RegExp): RegExp => {
  const { source, flags } = given
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
