/**
 * Links of HAL documents, as JSON.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-kelly-json-hal#section-5
 */
import * as UriReference from './uri-reference.ts'

export interface HalLink {
  /** Relation types: registered names, URIs, or names with the prefix of a curie. */
  readonly rel: string | ReadonlyArray<string>
  /** A URI reference, or a URI template (RFC 6570); what it cannot hold is percent-encoded. */
  readonly target: string
  /** Any text, for people. */
  readonly title?: string
  /** The media type to expect, as a hint. */
  readonly type?: string
  /** The language to expect, as a hint. */
  readonly hreflang?: string
  /** Tells links with the same relation apart. */
  readonly name?: string
  /** A URI that hints about the profile of the target. */
  readonly profile?: string
  /** A URI that tells why the link is to be removed. */
  readonly deprecation?: string
}

/** URI templates with the variable `rel`, by prefix. */
export type Curies = Readonly<Record<string, string>>

/**
 * The text of `_links`: relations in the order in which they come first, those with several links as arrays. `curies` come
 * before them, and are an array always (section 8.2).
 *
 * ```text
 * { rel: 'self', target: '/b/1' }                   {"self":{"href":"/b/1"}}
 * { rel: 'find', target: '/b{?q}' }                 {"find":{"href":"/b{?q}","templated":true}}
 * two with rel 'item'                               {"item":[{…},{…}]}
 * ```
 */
export const format = (links: ReadonlyArray<HalLink>, curies: Curies = {}): string => {
  const byRelation = new Map<string, string[]>()
  const add = (relation: string, written: string): void => {
    const before = byRelation.get(relation)
    if (before === undefined) byRelation.set(relation, [written])
    else before.push(written)
  }
  const prefixes = Object.entries(curies)
  for (const [name, target] of prefixes) add('curies', object({ rel: 'curies', target, name }))
  for (const link of links) {
    const written = object(link)
    for (const relation of typeof link.rel === 'string' ? [link.rel] : link.rel)
      add(relation, written)
  }
  const members = Array.from(byRelation, ([relation, [first = '', ...others]]) => {
    const isList = others.length > 0 || (relation === 'curies' && prefixes.length > 0)
    return `${JSON.stringify(relation)}:${isList ? `[${[first, ...others].join()}]` : first}`
  })
  return `{${members.join()}}`
}

const object = ({ target, type, title, name, hreflang, profile, deprecation }: HalLink): string =>
  JSON.stringify({
    href: UriReference.escape(target),
    ...(/\{.*\}/.test(target) ? { templated: true } : {}),
    type,
    deprecation,
    name,
    profile,
    title,
    hreflang,
  })
