/**
 * Parses credentials in the `Authorization` header, and writes challenges for the `WWW-Authenticate` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6
 */
import * as Grammar from './grammar.ts'

/**
 * Writes a challenge. All parameter values are quoted. `realm` must be quoted, and quotation marks are optional for other values
 * (RFC 9110, 11.5). Throws a `TypeError` if a name is invalid, or if a value contains characters that are not allowed in headers.
 *
 * ```text
 * Bearer realm="books", error="invalid_token"
 * ```
 */
export const formatChallenge = (
  scheme: string,
  parameters: ReadonlyArray<readonly [name: string, value: string]>,
): string => {
  const quoted = parameters.map(
    ([name, value]) => `${name}="${value.replace(/["\\]/g, String.raw`\$&`)}"`,
  )
  const challenge = `${scheme} ${quoted.join(', ')}`.trim()
  if (
    ![scheme, ...parameters.map(([name]) => name)].every(Grammar.isToken) ||
    !Grammar.isHeaderValue(challenge)
  )
    throw new TypeError(`invalid challenge: ${JSON.stringify(challenge)}`)
  return challenge
}

/**
 * Returns the credentials that follow `scheme` in an `Authorization` header. Schemes are compared case-insensitively. Returns
 * `undefined` if the header is missing or uses a different scheme. Returns an empty string if nothing follows the scheme.
 *
 * ```text
 * credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
 * ```
 */
export const credentials = (header: string | undefined, scheme: string): string | undefined => {
  if (header === undefined) return undefined
  const end = header.indexOf(' ')
  const actualScheme = end < 0 ? header : header.slice(0, end)
  if (actualScheme.toLowerCase() !== scheme.toLowerCase()) return undefined
  return end < 0 ? '' : header.slice(end).replace(/^ +/, '')
}

/**
 * Whether a string has the token68 syntax (RFC 9110, 11.2). Bearer tokens (RFC 6750, 2.1) and most other credentials have this
 * syntax.
 */
export const isToken68 = (text: string): boolean => /^[A-Za-z0-9\-._~+/]+=*$/.test(text)
