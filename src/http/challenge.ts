/**
 * Challenges: values of the `WWW-Authenticate` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
import * as Grammar from './grammar.ts'

/**
 * Writes a challenge. All values are quoted: `realm` must be, and the others may be (11.5). Throws a `TypeError` for invalid
 * names, and for values that a header cannot contain.
 *
 * ```text
 * Bearer realm="books", error="invalid_token"
 * ```
 */
export const format = (
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
