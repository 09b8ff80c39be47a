/**
 * Lists of origins: the scheme, host and port of pages whose programs may read answers.
 *
 * Why expressions are allowed: pages of previews and of customers have origins that nobody can list, and a list written by a
 * function that reflects is what goes wrong instead. An expression has to match the whole origin, never sees `null`, and one
 * that matches an origin of nobody is refused.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6454#section-6.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as RedosCheck from '../regex-safety/redos-check.ts'
import { parseUrl } from '../http/parse-url.ts'

/** An origin as it stands in `Origin`: `https://example.com`, `http://localhost:3000`, or `null`. */
export type Origins = '*' | ReadonlyArray<string | RegExp>

/** Whether an origin is in a list. */
export type OriginPredicate = (origin: string) => boolean

/** Prepares a list. Throws a `TypeError` for what is no origin, and for an expression that anybody matches, or that a long name can hold up. */
export const originMatcher = (origins: Origins): OriginPredicate => {
  if (origins === '*') return () => true
  const exact = new Set(origins.flatMap((one) => (typeof one === 'string' ? [checked(one)] : [])))
  const expressions = origins.flatMap((one) => (typeof one === 'string' ? [] : [whole(one)]))
  return (origin) =>
    exact.has(origin) ||
    (expressions.length > 0 &&
      isOrigin(origin) &&
      expressions.some((expression) => expression.test(origin)))
}

/** No name of a host is longer than 253 characters; what is longer is not worth a search. */
const longest = 300

const isOrigin = (text: string): boolean =>
  text.length <= longest &&
  /^[a-z][a-z\d+.-]*:\/\/(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/.test(text)

/** Browsers write origins in one way only, so a list in another way would match nothing. */
const checked = (origin: string): string => {
  if (origin === 'null') return origin
  const written = parseUrl(origin)
  const usual = written?.origin === 'null' ? origin : written?.origin
  if (origin === usual && isOrigin(origin)) return origin
  const hint = usual !== undefined && isOrigin(usual) ? `: write ${usual}` : ''
  throw new TypeError(
    origin === '*'
      ? "every origin is said by origins: '*', without a list"
      : `${JSON.stringify(origin)} is not an origin${hint}`,
  )
}

const nobody = ['https://anybody.invalid', 'http://a.invalid:1']

/** An expression that matches the whole text, and remembers nothing from one text to the next. */
const whole = (given: RegExp): RegExp => {
  const { source, flags } = given
  const expression = new RegExp(`^(?:${source})$`, flags.replace(/[gmy]/g, ''))
  const limit = RedosCheck.lengthLimit(expression)
  if (limit.maxLength < longest && O.isSome(limit.diagnostic))
    throw new TypeError(
      `/${source}/: ${RedosCheck.remedy(limit.diagnostic.value)}${RedosCheck.format(limit.diagnostic.value)}`,
    )
  if (nobody.some((origin) => expression.test(origin)))
    throw new TypeError(`/${source}/ allows every origin: name the hosts`)
  return expression
}
