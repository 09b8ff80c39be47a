/**
 * Entity tags: opaque validators that tell two representations of one resource apart.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** A validator. A strong one promises equal octets, a weak one equal meaning. */
export interface EntityTag {
  readonly weak: boolean
  readonly opaque: string
}

/**
 * Reads one entity tag; `none` when the text is not one.
 *
 * ```text
 * entity-tag = [ %s"W/" ] DQUOTE *etagc DQUOTE
 * etagc      = %x21 / %x23-7E / obs-text
 * ```
 */
export const parse = (text: string): O.Option<EntityTag> =>
  pipe(
    O.fromNullable(/^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/.exec(text)),
    O.map(([, weak, opaque = '']) => ({ weak: weak !== undefined, opaque })),
  )

/** Writes an entity tag as a header carries it. */
export const format = ({ weak, opaque }: EntityTag): string => `${weak ? 'W/' : ''}"${opaque}"`

/** Whether two tags promise equal octets: the comparison of `If-Match` and `If-Range`. */
export const equalsStrong = (a: EntityTag, b: EntityTag): boolean =>
  !a.weak && !b.weak && a.opaque === b.opaque

/** Whether two tags promise equal meaning: the comparison of `If-None-Match`. */
export const equalsWeak = (a: EntityTag, b: EntityTag): boolean => a.opaque === b.opaque
