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

/** A link as it stands in `_links`: what it does not have is left out, or `undefined`. */
export interface LinkObject {
  readonly href: string
  readonly templated?: true
  readonly [attribute: string]: string | true | undefined
}

/** The value of `_links`. */
export type LinksObject = Readonly<Record<string, LinkObject | ReadonlyArray<LinkObject>>>

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
export const format = (links: ReadonlyArray<HalLink>, curies: Curies = {}): string =>
  `{${byRelation(links, curies)
    .map(([relation, value]) => `${JSON.stringify(relation)}:${JSON.stringify(value)}`)
    .join()}}`

/**
 * The same as a value, for another writer of JSON. Relations that are whole numbers come first in it, as members of objects do.
 */
export const toObject = (links: ReadonlyArray<HalLink>, curies: Curies = {}): LinksObject =>
  Object.fromEntries(
    byRelation(links, curies).map(([relation, value]) => [
      relation,
      isList(value) ? value.map(present) : present(value),
    ]),
  )

type Value = LinkObject | ReadonlyArray<LinkObject>

const byRelation = (
  links: ReadonlyArray<HalLink>,
  curies: Curies,
): ReadonlyArray<readonly [relation: string, value: Value]> => {
  const found = new Map<string, LinkObject[]>()
  const add = (relation: string, link: LinkObject): void => {
    const before = found.get(relation)
    if (before === undefined) found.set(relation, [link])
    else before.push(link)
  }
  const prefixes = Object.entries(curies)
  for (const [name, target] of prefixes) add('curies', linkObject({ rel: 'curies', target, name }))
  for (const link of links) {
    const made = linkObject(link)
    for (const relation of typeof link.rel === 'string' ? [link.rel] : link.rel) add(relation, made)
  }
  return Array.from(found, ([relation, all]) => {
    const [only, ...others] = all
    const isMany = others.length > 0 || (relation === 'curies' && prefixes.length > 0)
    return [relation, only === undefined || isMany ? all : only]
  })
}

const isList = (value: Value): value is ReadonlyArray<LinkObject> => Array.isArray(value)

const linkObject = ({
  target,
  type,
  title,
  name,
  hreflang,
  profile,
  deprecation,
}: HalLink): LinkObject => ({
  href: UriReference.escape(target),
  ...(isTemplate(target) ? { templated: true as const } : {}),
  type,
  deprecation,
  name,
  profile,
  title,
  hreflang,
})

/** Whether a target has a variable of a URI Template. */
const isTemplate = (target: string): boolean => {
  const open = target.indexOf('{')
  return open >= 0 && target.includes('}', open)
}

/** Without what it does not have. */
const present = ({ href, ...others }: LinkObject): LinkObject => ({
  href,
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
})
