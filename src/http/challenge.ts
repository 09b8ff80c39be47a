/**
 * Challenges of `WWW-Authenticate`: what a client is told to send.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
import * as Grammar from './grammar.ts'

/**
 * Writes a challenge. Values are always quoted: `realm` has to be, and the others may (11.5). Throws a `TypeError` for what no
 * field can hold.
 *
 * ```text
 * Bearer realm="books", error="invalid_token"
 * ```
 */
export const format = (
  scheme: string,
  parameters: ReadonlyArray<readonly [name: string, value: string]>,
): string => {
  const written = parameters.map(
    ([name, value]) => `${name}="${value.replace(/["\\]/g, String.raw`\$&`)}"`,
  )
  const challenge = `${scheme} ${written.join(', ')}`.trim()
  if (
    ![scheme, ...parameters.map(([name]) => name)].every(Grammar.isToken) ||
    !Grammar.isHeaderValue(challenge)
  )
    throw new TypeError(`not a challenge: ${JSON.stringify(challenge)}`)
  return challenge
}
