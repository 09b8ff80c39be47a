/** The deprecation of operations (RFC 9745), and the date after which they are no longer available (RFC 8594). */
import { isDate } from '../../http/platform-value.ts'
import { describeValue } from './describe-value.ts'

/** The deprecation of an operation. A member that is `undefined` is not declared. */
export interface Deprecation {
  readonly since: Date | undefined
  readonly sunset: Date | undefined
  /** The endpoint that replaces the operation, or the URL of its replacement. */
  readonly replacedBy: object | string | undefined
  /** The URL of a page about the deprecation. */
  readonly deprecationDocs: string | undefined
  /** The URL of a page about the sunset. */
  readonly sunsetDocs: string | undefined
}

/** Merges the deprecation of a nested scope into that of the enclosing scope. Members that the nested scope does not declare are kept. */
export const mergeDeprecation = (
  outer: Deprecation | false | undefined,
  inner: Deprecation | false | undefined,
): Deprecation | false | undefined => {
  if (!outer || !inner) return inner ?? outer
  const declared = Object.entries(inner).filter(([, value]) => value !== undefined)
  return { ...outer, ...Object.fromEntries(declared) }
}

/**
 * Parses a date: a `Date`, an ISO 8601 date such as `2026-11-01`, which is midnight UTC, or a date with a time and an offset, such as
 * `2026-11-01T12:00:00Z`. Throws a `TypeError` for other values. `option` is the name of the option for the message.
 */
export const parseDate = (option: string, value: unknown): Date | undefined => {
  if (value === undefined) return undefined
  const date = isDate(value)
    ? value
    : typeof value === 'string' && isoDate.test(value) && isDay(value.slice(0, 10))
      ? new Date(value)
      : undefined
  if (date !== undefined && isHttpYear(date.getUTCFullYear())) return new Date(date)
  throw new TypeError(
    `deprecated: invalid ${option}: expected a Date or a string such as 2026-11-01, got ${describeValue(value)}`,
  )
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Whether a day exists. `Date` accepts `2026-02-30`. */
const isDay = (text: string): boolean => {
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Whether a year can occur in an HTTP date. `false` for the year of an invalid `Date`. */
const isHttpYear = (year: number): boolean => year >= 0 && year <= 9999
