/**
 * Writes the links of a HAL document (the value of `_links`) as an object or as JSON.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-kelly-json-hal#section-5
 */
import * as UriReference from './uri-reference.ts'

export interface HalLink {
  /** Relation types: registered names, URIs, or CURIEs (`prefix:name`). */
  readonly rel: string | ReadonlyArray<string>
  /** A URI reference or a URI template (RFC 6570). Characters that are not allowed in URIs are percent-encoded. */
  readonly target: string
  /** A human-readable label. */
  readonly title?: string
  /** A hint about the media type of the target. */
  readonly type?: string
  /** A hint about the language of the target. */
  readonly hreflang?: string
  /** A key that distinguishes links with the same relation type. */
  readonly name?: string
  /** A URI that identifies the profile of the target. */
  readonly profile?: string
  /** A URI that provides information about the deprecation of the link. */
  readonly deprecation?: string
}

/** Maps CURIE prefixes to URI templates that contain the variable `rel` (section 8.2 of the HAL draft). */
export type Curies = Readonly<Record<string, string>>

/** A link object in a HAL document. Attributes that are not set are missing or `undefined`. */
export interface LinkObject {
  readonly href: string
  readonly templated?: true
  readonly [attribute: string]: string | true | undefined
}

/** The value of `_links`: link objects grouped by relation type. */
export type LinksObject = Readonly<Record<string, LinkObject | ReadonlyArray<LinkObject>>>

/**
 * Returns the value of `_links`. If a relation type has multiple links, its value is an array. `curies` is always an array (section 8.2
 * of the HAL draft). Relation types have the order of their first occurrence, except that integer-like ones come first, as in every
 * JavaScript object.
 *
 * ```text
 * { rel: 'self', target: '/b/1' }                   {"self":{"href":"/b/1"}}
 * { rel: 'find', target: '/b{?q}' }                 {"find":{"href":"/b{?q}","templated":true}}
 * two links with rel 'item'                         {"item":[{…},{…}]}
 * ```
 */
export const toObject = (links: ReadonlyArray<HalLink>, curies: Curies = {}): LinksObject => {
  const prefixes = Object.entries(curies)
  if (links.length + prefixes.length === 0) return {}
  const groups = new Map<string, LinkObject[]>()
  const add = (relation: string, link: LinkObject): void => {
    const earlier = groups.get(relation)
    if (earlier === undefined) groups.set(relation, [link])
    else earlier.push(link)
  }
  for (const [name, target] of prefixes) add('curies', linkObject({ rel: 'curies', target, name }))
  for (const link of links) {
    const object = linkObject(link)
    for (const relation of typeof link.rel === 'string' ? [link.rel] : link.rel)
      add(relation, object)
  }
  return Object.fromEntries(
    Array.from(groups, ([relation, all]) => {
      const [only, ...others] = all
      const isArray = others.length > 0 || (relation === 'curies' && prefixes.length > 0)
      return [relation, only === undefined || isArray ? all : only]
    }),
  )
}

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
  ...Object.fromEntries(
    Object.entries({ type, deprecation, name, profile, title, hreflang }).filter(
      ([, value]) => value !== undefined,
    ),
  ),
})

/** Whether a link target contains a URI template variable. */
const isTemplate = (target: string): boolean => {
  const open = target.indexOf('{')
  return open >= 0 && target.includes('}', open)
}
