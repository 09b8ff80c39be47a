/**
 * Parses, writes and compares entity tags, which are opaque validators that distinguish representations of a resource.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Grammar from './grammar.ts'

/** An entity tag. Equal strong tags guarantee identical bytes. Equal weak tags guarantee only semantic equivalence. */
export interface EntityTag {
  readonly weak: boolean
  readonly opaque: string
}

/**
 * Parses an entity tag. Returns `none` if the tag is invalid.
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

/** A member of `If-Match` or `If-None-Match`: an entity tag, or `*`, which matches any representation. */
export type Listed = EntityTag | '*'

/**
 * Parses a list of entity tags in linear time. Ignores invalid members. Also accepts unquoted tags: `v1` is interpreted as
 * `"v1"`.
 *
 * ```text
 * If-Match = "*" / #entity-tag
 * ```
 */
export const parseList = (text: string): ReadonlyArray<Listed> =>
  // entity tags have no escapes, so `Grammar.splitList` does not apply
  (text.match(/(?:"[^"]*"|[^,])+/g) ?? []).flatMap((member) => parseMember(Grammar.trim(member)))

const parseMember = (text: string): ReadonlyArray<Listed> => {
  if (text === '*') return ['*']
  const tag = parse(text)
  if (O.isSome(tag)) return [tag.value]
  const [, weak, opaque] = /^(W\/)?([\x21\x23-\x7e\x80-\xff]+)$/.exec(text) ?? []
  return opaque === undefined ? [] : [{ weak: weak !== undefined, opaque }]
}

/**
 * Creates an entity tag from its opaque part, which results in a strong tag, or from an {@link EntityTag}. Throws a `TypeError` if
 * the opaque part contains characters that an entity tag cannot contain, such as quotes and spaces.
 */
export const from = (tag: string | EntityTag): EntityTag => {
  const { weak, opaque } = typeof tag === 'string' ? { weak: false, opaque: tag } : Object(tag)
  if (typeof opaque !== 'string' || !/^[\x21\x23-\x7e\x80-\xff]*$/.test(opaque))
    throw new TypeError(
      'invalid entity tag: pass the opaque part without quotes and spaces, such as v1, or { weak: true, opaque }',
    )
  return { weak: weak === true, opaque }
}

/** Writes an entity tag as a header value. */
export const format = ({ weak, opaque }: EntityTag): string => `${weak ? 'W/' : ''}"${opaque}"`

/** Whether two entity tags match by strong comparison, as required for `If-Match` and `If-Range`. */
export const equalsStrong = (a: EntityTag, b: EntityTag): boolean =>
  !a.weak && !b.weak && a.opaque === b.opaque

/** Whether two entity tags match by weak comparison, as required for `If-None-Match`. */
export const equalsWeak = (a: EntityTag, b: EntityTag): boolean => a.opaque === b.opaque
