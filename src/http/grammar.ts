/**
 * The productions that header fields share: tokens, quoted strings, comma lists and parameters. What a field means by
 * them stands in the field's own module. Every function here takes time linear in its text, whatever the text is.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6
 */
import * as O from 'fp-ts/lib/Option.js'

/** A name in lower case and its value, unquoted. */
export type HeaderParameter = readonly [name: string, value: string]

const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/.source
const quotedString = /"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)"/
  .source
const wholeToken = new RegExp(`^${token}$`)
const nextParameter = new RegExp(
  `[\\t ]*;[\\t ;]*(?:(${token})=(?:(${token})|${quotedString}))?`,
  'gy',
)

/** Whether the text is a token (5.6.2): the form of field names, methods, parameter names and most plain values. */
export const isToken = (text: string): boolean => wholeToken.test(text)

/**
 * Whether the text can be sent as the value of a field (5.5): visible US-ASCII and the octets above it, with spaces and
 * tabs between them but at neither end. No line break is in it, so no value can begin a field of its own.
 */
export const isHeaderValue = (text: string): boolean =>
  /^[\t \x21-\x7e\x80-\xff]*$/.test(text) && !/^[\t ]|[\t ]$/.test(text)

/**
 * Writes a parameter's value: a token as it is, any other text as a quoted string (5.6.4). A character that no field can
 * hold stays in it: whoever sends the field asks `isFieldValue` of the whole.
 */
export const quote = (text: string): string =>
  isToken(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`

/**
 * The members of a comma list (5.6.1), without the whitespace round them and without the empty ones. A comma inside a
 * quoted string belongs to its member; a quoted string that is never closed goes on to the end of the text.
 *
 * ```text
 * #element = [ element ] *( OWS "," OWS [ element ] )
 * ```
 */
export const splitList = (text: string): ReadonlyArray<string> => {
  // half the time of the regular expression, for lists of thousands of short members
  const members = text.includes('"')
    ? (text.match(/(?:[^",]|"(?:[^"\\]|\\[^])*"?)+/g) ?? [])
    : text.split(',')
  return members.map(trim).filter((member) => member !== '')
}

/**
 * Reads the parameters behind a value, from their first semicolon on; `none` when anything else stands among them. Order
 * and repetitions are kept; quoted values lose their quotes and escapes.
 *
 * ```text
 * parameters = *( OWS ";" OWS [ parameter ] )
 * parameter  = token "=" ( token / quoted-string )
 * ```
 */
export const parseParameters = (text: string): O.Option<ReadonlyArray<HeaderParameter>> => {
  if (text === '') return O.some([])
  const parameters: HeaderParameter[] = []
  nextParameter.lastIndex = 0
  while (nextParameter.lastIndex < text.length) {
    const found = nextParameter.exec(text)
    if (found === null) return O.none
    const [, name, plain, quoted = ''] = found
    if (name !== undefined)
      parameters.push([name.toLowerCase(), plain ?? quoted.replace(/\\([^])/g, '$1')])
  }
  return O.some(parameters)
}

/** Takes off optional whitespace (5.6.3) only; `String.prototype.trim` takes U+00A0 too, which is obs-text. */
export const trim = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09
