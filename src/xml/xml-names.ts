/**
 * Names and characters of XML: what a document may hold at all, and what elements and attributes may be called.
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

/** Whether a text is a name without a colon, as local names and prefixes are. */
export const isNcName = (text: string): boolean => whole.test(text)

/** A name with or without a prefix, from `lastIndex` on; each caller has one of its own. */
export const qualified = (): RegExp => new RegExp(`${ncName}(?::${ncName})?`, 'uy')

/** What no document may hold, in any form. */
const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** The position of the first character that no document may hold; -1 when there is none. */
export const illegalAt = (text: string): number => text.search(illegal)

/** Whether a code point is a character that a document may hold. */
export const isCharacter = (point: number): boolean =>
  (point >= 0x20 && point <= 0xd7ff) ||
  point === 0x9 ||
  point === 0xa ||
  point === 0xd ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff)

/** The namespace of `xml:lang` and its like, whose prefix nobody declares. */
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** The namespace of declarations, which nobody can declare. */
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

/** The namespace of `xsi:nil`. */
export const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

/** The name of an element or attribute. */
export interface QName {
  /** Empty for none. */
  readonly namespace: string
  readonly local: string
}

/** A name as it is compared and told. */
export const expanded = ({ namespace, local }: QName): string =>
  namespace === '' ? local : `{${namespace}}${local}`
