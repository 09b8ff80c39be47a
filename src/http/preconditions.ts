/**
 * Evaluates the preconditions in a request, such as `If-Match`, in the order required by RFC 9110.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
import { isRead } from './method.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as EntityTag from './entity-tag.ts'
import * as Headers from './headers.ts'
import * as HttpDate from './http-date.ts'

/** The validators of the current representation. Milliseconds in dates are ignored. */
export interface Validators {
  readonly etag?: EntityTag.EntityTag | undefined
  readonly lastModified?: Date | undefined
}

/** The result of evaluating preconditions: `proceed`, or the status code of the response to send instead. */
export type Decision = 'proceed' | 304 | 412

/**
 * Evaluates the preconditions against the validators of the current representation. `current` is `undefined` if the resource has
 * no representation. Invalid and duplicate dates are ignored. If `lastModified` is missing, date conditions are ignored.
 *
 * ```text
 * 1  If-Match              strong comparison                   no match: 412
 * 2  If-Unmodified-Since   without If-Match                    modified since: 412
 * 3  If-None-Match         weak comparison                     match: 304 for GET, HEAD and QUERY, otherwise 412
 * 4  If-Modified-Since     without If-None-Match,
 *                          for GET, HEAD and QUERY           not modified since: 304
 * ```
 */
export const evaluate = (
  method: string,
  headers: Headers.RequestHeaders,
  current: Validators | undefined,
): Decision => {
  if (unconditionalMethods.includes(method)) return 'proceed'
  const isReading = isRead(method)
  const ifMatch = Headers.combined(headers, 'if-match')
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, current, EntityTag.equalsStrong)) return 412
  } else if (isModifiedSince(current, Headers.combined(headers, 'if-unmodified-since')) === true)
    return 412
  const ifNoneMatch = Headers.combined(headers, 'if-none-match')
  if (ifNoneMatch !== undefined) {
    if (matches(ifNoneMatch, current, EntityTag.equalsWeak)) return isReading ? 304 : 412
  } else if (
    isReading &&
    isModifiedSince(current, Headers.combined(headers, 'if-modified-since')) === false
  )
    return 304
  return 'proceed'
}

/** Methods for which preconditions are ignored, because they neither select nor modify a representation (RFC 9110, 13.2.1). */
const unconditionalMethods: ReadonlyArray<string> = ['CONNECT', 'OPTIONS', 'TRACE']

const matches = (
  list: string,
  current: Validators | undefined,
  equals: (a: EntityTag.EntityTag, b: EntityTag.EntityTag) => boolean,
): boolean => {
  if (current === undefined) return false
  const { etag } = current
  return EntityTag.parseList(list).some(
    (member) => member === '*' || (etag !== undefined && equals(member, etag)),
  )
}

/**
 * Whether the representation was modified after the date in a header. Returns `undefined` if either date is missing, or if the
 * header is invalid.
 */
const isModifiedSince = (
  current: Validators | undefined,
  text: string | undefined,
): boolean | undefined => {
  if (text === undefined || current?.lastModified === undefined) return undefined
  const date = HttpDate.parse(text)
  return O.isNone(date)
    ? undefined
    : HttpDate.truncate(current.lastModified).getTime() > date.value.getTime()
}

/**
 * Whether the `If-Range` header allows a partial response (RFC 9110, 13.1.5). An entity tag must match by strong comparison.
 *
 * A date must equal `lastModified`. It must also be more than one second before `now`. Otherwise, the representation could change
 * again within the same second, and the date would remain the same. `now` is in milliseconds since the epoch.
 */
export const allowsRange = (
  headers: Headers.RequestHeaders,
  { etag, lastModified }: Validators,
  now: number = Date.now(),
): boolean => {
  const text = Headers.combined(headers, 'if-range')
  if (text === undefined) return true
  const date = HttpDate.parse(text)
  if (O.isSome(date)) {
    const modified = lastModified === undefined ? NaN : HttpDate.truncate(lastModified).getTime()
    return date.value.getTime() === modified && now - modified > 1000
  }
  const tag = EntityTag.parse(text)
  return O.isSome(tag) && etag !== undefined && EntityTag.equalsStrong(tag.value, etag)
}
