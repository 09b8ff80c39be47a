/**
 * Web links: one value of the `Link` field, as it is written. Reading them is a client's affair.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
import * as Grammar from './grammar.ts'
import * as UriReference from './uri-reference.ts'

export interface Link {
  /** A URI reference; what it cannot hold is percent-encoded. The braces of a template variable stay as they are. */
  readonly target: string
  /** Relation types: registered names or URIs. */
  readonly rel: string | ReadonlyArray<string>
  /** Any text, for people. */
  readonly title?: string
  /** The media type to expect, as a hint. */
  readonly type?: string
  /** The language to expect, as a hint. */
  readonly hreflang?: string
  /** What the link is from, a URI reference. Absent: the resource that answers. */
  readonly anchor?: string
  /** Further attributes, in their order: `media`, or what a relation type defines. */
  readonly attributes?: ReadonlyArray<readonly [name: string, value: string]>
}

/**
 * Writes a link. Text that a quoted string cannot hold is written as `name*=UTF-8''…` (RFC 8187). Throws a `TypeError`
 * for a relation type that is neither name nor URI, for none at all, for an attribute whose name is not a token, ends in
 * `*` or has a member of its own above, and for a `type` or `hreflang` beyond ASCII.
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
    `rel="${relations(typeof rel === 'string' ? [rel] : rel)}"`,
    ...present(title, (text) => parameter('title', text)),
    ...present(type, (text) => hint('type', text)),
    ...present(hreflang, (text) => hint('hreflang', text)),
    ...present(anchor, (text) => `anchor="${UriReference.escape(text)}"`),
    ...attributes.map(([name, value]) => parameter(attribute(name), value)),
  ].join('; ')
}

const present = (text: string | undefined, write: (text: string) => string): readonly string[] =>
  text === undefined ? [] : [write(text)]

const relations = (types: ReadonlyArray<string>): string => {
  const wrong = types.find((type) => !/^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(type))
  if (types.length > 0 && wrong === undefined) return types.join(' ')
  throw new TypeError(`a link needs a relation type: a name or a URI, not ${JSON.stringify(wrong)}`)
}

const own: ReadonlyArray<string> = ['rel', 'title', 'type', 'hreflang', 'anchor']

const attribute = (name: string): string => {
  if (Grammar.isToken(name) && !name.endsWith('*') && !own.includes(name.toLowerCase())) return name
  throw new TypeError(`not the name of a further link attribute: ${JSON.stringify(name)}`)
}

const isQuotable = (text: string): boolean => /^[\t -~]*$/.test(text)

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const hint = (name: string, text: string): string => {
  if (isQuotable(text)) return `${name}=${quoted(text)}`
  throw new TypeError(`the ${name} of a link is ASCII, not ${JSON.stringify(text)}`)
}

const parameter = (name: string, text: string): string =>
  isQuotable(text) ? `${name}=${quoted(text)}` : `${name}*=UTF-8''${extended(text)}`

/** The value-chars of RFC 8187, section 3.2.1: fewer than `encodeURIComponent` leaves. */
const extended = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
