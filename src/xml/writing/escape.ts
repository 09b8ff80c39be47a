/**
 * Escapes texts for documents.
 *
 * Replaces characters that XML does not allow with U+FFFD, so that stored text cannot make a document unreadable.
 *
 * @see https://www.w3.org/TR/xml/#syntax
 */

/** Finds texts that may need escaping. Surrogates match although most pairs need none. */
const inText = /[^\t\n\u0020-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/
const inAttribute = /[^\u0020\u0021\u0023-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/
const replacedInText = /[&<>\r]|[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const replacedInAttribute = /[&<>"\t\n\r]|[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Carriage returns, and white space in attributes, are references because parsers normalize them. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
])

const replacement = (character: string): string => escapes.get(character) ?? '\uFFFD'

/** Escapes character data. */
export const escapeText = (text: string): string =>
  inText.test(text) ? text.replace(replacedInText, replacement) : text

/** Escapes the value of an attribute in double quotes. */
export const escapeAttribute = (text: string): string =>
  inAttribute.test(text) ? text.replace(replacedInAttribute, replacement) : text
