/**
 * Texts as they stand in a document. What cannot stand there in any form is replaced by U+FFFD, so that a text which somebody
 * stored cannot make every document that holds it unreadable, and so that it shows.
 *
 * @see https://www.w3.org/TR/xml/#syntax
 */

/** Everything of which something becomes; a surrogate is only suspicious. */
const inText = /[^\t\n\u0020-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/
const inAttribute = /[^\u0020\u0021\u0023-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/
const replacedInText = /[&<>\r]|[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const replacedInAttribute = /[&<>"\t\n\r]|[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** A return would be read as a line feed, and white space in an attribute as a space. */
const written: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
])

const replacement = (character: string): string => written.get(character) ?? '\uFFFD'

export const escapedText = (text: string): string =>
  inText.test(text) ? text.replace(replacedInText, replacement) : text

/** Between double quotes. */
export const escapedAttribute = (text: string): string =>
  inAttribute.test(text) ? text.replace(replacedInAttribute, replacement) : text
