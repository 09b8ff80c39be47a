/**
 * Entity tags: opaque validators that tell two representations of one resource apart.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

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

/** A member of `If-Match` or `If-None-Match`: a tag, or `*` for any. */
export type Listed = EntityTag | '*'

/**
 * Reads a list of entity tags; what is none is left out. Beyond the grammar, a tag without quotes is read as if it had some:
 * `v1` as `"v1"`. Takes time linear in the text.
 *
 * ```text
 * If-Match = "*" / #entity-tag
 * ```
 */
export const parseList = (text: string): ReadonlyArray<Listed> =>
  // no escapes are in a tag, so this is not the list of quoted strings
  (text.match(/(?:"[^"]*"|[^,])+/g) ?? []).flatMap((member) => listed(Grammar.trim(member)))

const listed = (member: string): ReadonlyArray<Listed> => {
  if (member === '*') return ['*']
  const tag = parse(member)
  if (O.isSome(tag)) return [tag.value]
  const [, weak, opaque] = /^(W\/)?([\x21\x23-\x7e\x80-\xff]+)$/.exec(member) ?? []
  return opaque === undefined ? [] : [{ weak: weak !== undefined, opaque }]
}

/** Writes an entity tag as a header carries it. */
export const format = ({ weak, opaque }: EntityTag): string => `${weak ? 'W/' : ''}"${opaque}"`

/** Whether two tags promise equal octets: the comparison of `If-Match` and `If-Range`. */
export const equalsStrong = (a: EntityTag, b: EntityTag): boolean =>
  !a.weak && !b.weak && a.opaque === b.opaque

/** Whether two tags promise equal meaning: the comparison of `If-None-Match`. */
export const equalsWeak = (a: EntityTag, b: EntityTag): boolean => a.opaque === b.opaque
