/**
 * Grammar rules shared by several headers: tokens, quoted strings, comma-separated lists and parameters. All functions run in
 * linear time.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6
 */
import * as O from 'fp-ts/lib/Option.js'

/** A parameter, with the name in lower case and the value unquoted. */
export type HeaderParameter = readonly [name: string, value: string]

const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/.source
const quotedString = /"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)"/
  .source
const tokenPattern = new RegExp(`^${token}$`)
const parameterPattern = new RegExp(
  `[\\t ]*;[\\t ;]*(?:(${token})=(?:(${token})|${quotedString}))?`,
  'gy',
)

/** Whether a string is a token (RFC 9110, 5.6.2). Header names, methods and parameter names are tokens. */
export const isToken = (text: string): boolean => tokenPattern.test(text)

/**
 * Whether a string is a valid header value (RFC 9110, 5.5). Values consist of visible US-ASCII characters and U+0080 to U+00FF,
 * with spaces and tabs only between them. Line breaks are not allowed, which prevents header injection.
 */
export const isHeaderValue = (text: string): boolean =>
  /^[\t \x21-\x7e\x80-\xff]*$/.test(text) && !/^[\t ]|[\t ]$/.test(text)

/**
 * Describes why a string is not a valid header value, without repeating it. Returns `undefined` for a valid value. Positions count UTF-16
 * code units from 0.
 */
export const headerValueError = (text: string): string | undefined => {
  if (isHeaderValue(text)) return undefined
  const position = text.search(/[^\t\x20-\x7e\x80-\xff]/)
  if (position === -1) return 'must not have whitespace at its start or end'
  return text.charCodeAt(position) > 0xff
    ? `must contain only characters up to U+00FF (Latin-1), got another one at position ${position}: encode it, for example with encodeURIComponent`
    : `must not contain control characters, got one at position ${position}`
}

/**
 * Writes a parameter value. A token is written unchanged, and any other value as a quoted string (RFC 9110, 5.6.4). Characters
 * that are not allowed in headers are kept. Use `isHeaderValue` to validate the complete header.
 */
export const quote = (text: string): string =>
  isToken(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`

/**
 * Splits a comma-separated list (RFC 9110, 5.6.1) into its members. Trims whitespace and skips empty members. Commas inside
 * quoted strings do not separate members. An unterminated quoted string extends to the end of the list.
 *
 * ```text
 * #element = [ element ] *( OWS "," OWS [ element ] )
 * ```
 */
export const splitList = (text: string): ReadonlyArray<string> => {
  // for lists with thousands of short members, `split` takes half as long as the regular expression
  const members = text.includes('"')
    ? (text.match(/(?:[^",]|"(?:[^"\\]|\\[^])*"?)+/g) ?? [])
    : text.split(',')
  return members.map(trim).filter((member) => member !== '')
}

/**
 * Parses the parameters that follow a header value. `text` is empty or starts at the first semicolon. Returns `none` if a
 * parameter is malformed. Values are unquoted. The parameters keep their order, and duplicates are retained.
 *
 * ```text
 * parameters = *( OWS ";" OWS [ parameter ] )
 * parameter  = token "=" ( token / quoted-string )
 * ```
 */
export const parseParameters = (text: string): O.Option<ReadonlyArray<HeaderParameter>> => {
  if (text === '') return O.some([])
  const parameters: HeaderParameter[] = []
  parameterPattern.lastIndex = 0
  while (parameterPattern.lastIndex < text.length) {
    const match = parameterPattern.exec(text)
    if (match === null) return O.none
    const [, name, plain, quoted = ''] = match
    if (name !== undefined)
      parameters.push([name.toLowerCase(), plain ?? quoted.replace(/\\([^])/g, '$1')])
  }
  return O.some(parameters)
}

/**
 * Removes spaces and tabs (RFC 9110, 5.6.3) from both ends. `String.prototype.trim` would also remove U+00A0, which does not
 * count as whitespace in headers.
 */
export const trim = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09
