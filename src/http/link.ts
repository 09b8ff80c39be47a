/**
 * Writes web links for the `Link` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
import * as Grammar from './grammar.ts'
import * as UriReference from './uri-reference.ts'

export interface Link {
  /** A URI reference. Characters that are not allowed in URIs are percent-encoded, except braces around template variables. */
  readonly target: string
  /** Relation types: registered names or URIs. */
  readonly rel: string | ReadonlyArray<string>
  /** A human-readable label. */
  readonly title?: string
  /** A hint about the media type of the target. */
  readonly type?: string
  /** A hint about the language of the target. */
  readonly hreflang?: string
  /** The context of the link, as a URI reference. Default: the requested resource. */
  readonly anchor?: string
  /** Further attributes, such as `media` or extension attributes, in the order in which they are written. */
  readonly attributes?: ReadonlyArray<readonly [name: string, value: string]>
}

/**
 * Writes a link. An attribute with non-ASCII characters is written as `name*=UTF-8''…` (RFC 8187).
 *
 * Throws a `TypeError` if a relation type is missing or invalid, or if `type` or `hreflang` contains non-ASCII characters. Also
 * throws a `TypeError` if a name in `attributes` is invalid, ends in `*`, or is one of `rel`, `title`, `type`, `hreflang` and
 * `anchor`.
 *
 * ```text
 * { target: '/b/2', rel: 'next', title: 'Two' }    </b/2>; rel="next"; title="Two"
 * { target: '/b/é', rel: 'self', title: 'é' }      </b/%C3%A9>; rel="self"; title*=UTF-8''%C3%A9
 * { target: '/b/{id}', rel: ['item', 'edit'] }     </b/{id}>; rel="item edit"
 * ```
 */
export const format = (link: Link): string => {
  const { target, rel, title, type, hreflang, anchor, attributes = [] } = link
  return [
    `<${UriReference.escape(target)}>`,
    `rel="${relationTypes(typeof rel === 'string' ? [rel] : rel)}"`,
    ...optional(title, (text) => parameter('title', text)),
    ...optional(type, (text) => asciiParameter('type', text)),
    ...optional(hreflang, (text) => asciiParameter('hreflang', text)),
    ...optional(anchor, (text) => `anchor="${UriReference.escape(text)}"`),
    ...attributes.map(([name, value]) => parameter(attributeName(name), value)),
  ].join('; ')
}

const optional = (text: string | undefined, write: (text: string) => string): readonly string[] =>
  text === undefined ? [] : [write(text)]

const relationTypes = (types: ReadonlyArray<string>): string => {
  if (types.length === 0) throw new TypeError('link without a relation type')
  const invalid = types.find((type) => !/^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(type))
  if (invalid === undefined) return types.join(' ')
  throw new TypeError(
    `invalid relation type: expected a name or a URI, got ${JSON.stringify(invalid)}`,
  )
}

const reservedNames: ReadonlyArray<string> = ['rel', 'title', 'type', 'hreflang', 'anchor']

const attributeName = (name: string): string => {
  const isReserved = reservedNames.includes(name.toLowerCase())
  if (Grammar.isToken(name) && !name.endsWith('*') && !isReserved) return name
  throw new TypeError(`invalid or reserved link attribute: ${JSON.stringify(name)}`)
}

const isQuotable = (text: string): boolean => /^[\t -~]*$/.test(text)

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const asciiParameter = (name: string, text: string): string => {
  if (isQuotable(text)) return `${name}=${quote(text)}`
  throw new TypeError(`invalid link ${name}: expected ASCII, got ${JSON.stringify(text)}`)
}

const parameter = (name: string, text: string): string =>
  isQuotable(text) ? `${name}=${quote(text)}` : `${name}*=UTF-8''${encodeExtended(text)}`

/**
 * Percent-encodes text for an extended parameter value (RFC 8187, 3.2.1). Such a value must not contain the characters `'()*`,
 * which `encodeURIComponent` does not encode.
 */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
