/**
 * What conditional requests ask of a representation that exists. One function, so that another one may take its place.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { EntityTag } from '../../http/entity-tag.ts'
import * as EntityTags from '../../http/entity-tag.ts'
import * as Headers from '../../http/headers.ts'
import * as HttpDate from '../../http/http-date.ts'

/** What tells the states of a representation apart. */
export interface Validators {
  readonly tag: EntityTag | undefined
  /** Whole seconds. */
  readonly modified: Date | undefined
}

/** The status of an answer to GET or HEAD that a condition asks for instead of the representation. */
export const precondition = (
  headers: Headers.Headers,
  { tag, modified }: Validators,
): 304 | 412 | undefined => {
  const match = Headers.combined(headers, 'if-match')
  if (match !== undefined) {
    if (!isListed(match, tag, EntityTags.equalsStrong)) return 412
  } else if (isLater(modified, Headers.first(headers, 'if-unmodified-since'))) return 412
  const noneMatch = Headers.combined(headers, 'if-none-match')
  if (noneMatch !== undefined)
    return isListed(noneMatch, tag, EntityTags.equalsWeak) ? 304 : undefined
  return isLater(modified, Headers.first(headers, 'if-modified-since')) === false ? 304 : undefined
}

/** Whether a range counts: the client has octets of this very state (RFC 9110, 13.1.5). */
export const isSameState = (headers: Headers.Headers, { tag, modified }: Validators): boolean => {
  const text = Headers.first(headers, 'if-range')
  if (text === undefined) return true
  const given = EntityTags.parse(text)
  if (O.isSome(given)) return tag !== undefined && EntityTags.equalsStrong(given.value, tag)
  const date = HttpDate.parse(text)
  return O.isSome(date) && date.value.getTime() === modified?.getTime()
}

const isListed = (
  list: string,
  tag: EntityTag | undefined,
  equals: (a: EntityTag, b: EntityTag) => boolean,
): boolean =>
  list.trim() === '*' ||
  (tag !== undefined &&
    [...list.matchAll(/(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g)].some(([, weak, opaque = '']) =>
      equals({ weak: weak !== undefined, opaque }, tag),
    ))

/** `undefined` when there is nothing to compare. */
const isLater = (modified: Date | undefined, text: string | undefined): boolean | undefined =>
  text === undefined || modified === undefined
    ? undefined
    : pipe(
        HttpDate.parse(text),
        O.map((date) => modified.getTime() > date.getTime()),
        O.toUndefined,
      )
