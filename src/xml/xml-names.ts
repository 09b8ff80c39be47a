/**
 * Names and characters of XML, and the namespaces that XML itself defines.
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

/** Whether a text is an NCName: a name without a colon, such as a local name or a prefix. */
export const isNcName = (text: string): boolean => whole.test(text)

/** Creates a sticky expression for a name with an optional prefix. Each caller needs its own because of `lastIndex`. */
export const qualifiedName = (): RegExp => new RegExp(`${ncName}(?::${ncName})?`, 'uy')

/** Characters that are not allowed in documents, even as references. */
const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** Returns the index of the first character that is not allowed in documents, or -1. */
export const illegalCharacterIndex = (text: string): number => text.search(illegal)

/** Whether a code point is a character that is allowed in documents. */
export const isCharacter = (point: number): boolean =>
  (point >= 0x20 && point <= 0xd7ff) ||
  point === 0x9 ||
  point === 0xa ||
  point === 0xd ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff)

/** The namespace of the prefix `xml`, as in `xml:lang`, which needs no declaration. */
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** The namespace of namespace declarations, which cannot be declared. */
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

/** The namespace of `xsi:nil`. */
export const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

/** A qualified name: namespace and local name of an element or attribute. */
export interface QName {
  /** An empty string for no namespace. */
  readonly namespace: string
  readonly local: string
}

/** Formats a name as an expanded name, such as `{urn:library}book`, to compare and to report it. */
export const expandedName = ({ namespace, local }: QName): string =>
  namespace === '' ? local : `{${namespace}}${local}`
