/**
 * Defines the names and characters allowed in XML documents, and the namespaces reserved by the XML standards.
 *
 * @see https://www.w3.org/TR/xml/#charsets
 * @see https://www.w3.org/TR/xml-names/#NT-NCName
 */

const start =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const further = '\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040'
const ncName = `[${start}][${start}${further}]*`
const whole = new RegExp(`^${ncName}$`, 'u')

/** Whether a string is an NCName, which is a name without a colon. Local names and prefixes are NCNames. */
export const isNcName = (text: string): boolean => whole.test(text)

/**
 * Creates a sticky regular expression that matches a name with an optional prefix. Callers must not share the
 * expression, because matching changes its `lastIndex`.
 */
export const qualifiedName = (): RegExp => new RegExp(`${ncName}(?::${ncName})?`, 'uy')

/** Matches a character that is not allowed in documents, not even as a character reference. */
const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** Returns the index of the first character that is not allowed in documents, or `-1` if all characters are allowed. */
export const illegalCharacterIndex = (text: string): number => text.search(illegal)

/** Whether a code point is a character allowed in documents. */
export const isCharacter = (point: number): boolean =>
  (point >= 0x20 && point <= 0xd7ff) ||
  point === 0x9 ||
  point === 0xa ||
  point === 0xd ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff)

/** The namespace of the `xml` prefix, as in `xml:lang`. The prefix does not need to be declared. */
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** The namespace of the `xmlns` prefix. No prefix can be declared for this namespace. */
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

/** The namespace of `xsi:nil`. */
export const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

/** The qualified name of an element or attribute, consisting of a namespace and a local name. */
export interface QName {
  /** The namespace, or an empty string if the name is in no namespace. */
  readonly namespace: string
  readonly local: string
}

/** Formats a qualified name for comparisons and error messages, as in `{urn:library}book`. */
export const expandedName = ({ namespace, local }: QName): string =>
  namespace === '' ? local : `{${namespace}}${local}`
