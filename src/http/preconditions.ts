/**
 * Preconditions: what a client wants to be so before its method is applied, decided in the order of the RFC.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as EntityTag from './entity-tag.ts'
import * as Headers from './headers.ts'
import * as HttpDate from './http-date.ts'

/** What is known of the current representation. Dates count by their seconds. */
export interface Validators {
  readonly etag?: EntityTag.EntityTag | undefined
  readonly lastModified?: Date | undefined
}

/** Go on, or answer with this status. */
export type Decision = 'proceed' | 304 | 412

/**
 * Decides for a request to a resource whose current representation has these validators; `undefined` stands for a resource
 * that has none. A date that cannot be read, and one given twice, is ignored, and so is one that there is no date to compare with.
 *
 * ```text
 * 1  If-Match              strong comparison                   none matches: 412
 * 2  If-Unmodified-Since   where there is no If-Match          modified since: 412
 * 3  If-None-Match         weak comparison                     one matches: 304 for GET and HEAD, otherwise 412
 * 4  If-Modified-Since     where there is no If-None-Match,
 *                          for GET and HEAD                    not modified since: 304
 * ```
 */
export const evaluate = (
  method: string,
  fields: Headers.Headers,
  current: Validators | undefined,
): Decision => {
  if (without.includes(method)) return 'proceed'
  const reads = method === 'GET' || method === 'HEAD'
  const ifMatch = Headers.combined(fields, 'if-match')
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, current, EntityTag.equalsStrong)) return 412
  } else if (isModifiedSince(current, Headers.combined(fields, 'if-unmodified-since')) === true)
    return 412
  const ifNoneMatch = Headers.combined(fields, 'if-none-match')
  if (ifNoneMatch !== undefined) {
    if (matches(ifNoneMatch, current, EntityTag.equalsWeak)) return reads ? 304 : 412
  } else if (
    reads &&
    isModifiedSince(current, Headers.combined(fields, 'if-modified-since')) === false
  )
    return 304
  return 'proceed'
}

/** RFC 9110, 13.2.1: methods that neither select nor modify a representation. */
const without: ReadonlyArray<string> = ['CONNECT', 'OPTIONS', 'TRACE']

const matches = (
  list: string,
  current: Validators | undefined,
  equals: (a: EntityTag.EntityTag, b: EntityTag.EntityTag) => boolean,
): boolean => {
  if (current === undefined) return false
  const { etag } = current
  return EntityTag.parseList(list).some(
    (one) => one === '*' || (etag !== undefined && equals(one, etag)),
  )
}

/** `undefined` where that cannot be said. */
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
 * Whether a range may be sent, as far as `If-Range` says (RFC 9110, 13.1.5): a tag by strong comparison, a date when it is
 * exactly that of the last change and that was more than a second before `now` (milliseconds since 1970), because within one
 * second there can be two changes.
 */
export const allowsRange = (
  fields: Headers.Headers,
  { etag, lastModified }: Validators,
  now: number = Date.now(),
): boolean => {
  const text = Headers.combined(fields, 'if-range')
  if (text === undefined) return true
  const date = HttpDate.parse(text)
  if (O.isSome(date)) {
    const changed = lastModified === undefined ? NaN : HttpDate.truncate(lastModified).getTime()
    return date.value.getTime() === changed && now - changed > 1000
  }
  const tag = EntityTag.parse(text)
  return O.isSome(tag) && etag !== undefined && EntityTag.equalsStrong(tag.value, etag)
}
