/**
 * Parses credentials in the `Authorization` header, and writes challenges for the `WWW-Authenticate` header. Credentials of the `Basic`
 * scheme are a user name and a password, encoded in UTF-8.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6
 * @see https://www.rfc-editor.org/rfc/rfc7617#section-2
 */
import * as Grammar from './grammar.ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

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

export interface BasicCredentials {
  /** The user name. Can be empty, but cannot contain colons or control characters. */
  readonly user: string
  /** The password. Can be empty, but cannot contain control characters. */
  readonly password: string
}

/**
 * Parses the credentials that follow `Basic` in an `Authorization` header. Returns `none` if the credentials are not padded
 * Base64 or not valid UTF-8. Also returns `none` if they have no colon or contain a control character.
 *
 * ```text
 * basic-credentials = base64( user-id ":" password )
 * ```
 */
export const parseBasic = (encoded: string): O.Option<BasicCredentials> =>
  pipe(
    encoded,
    O.fromPredicate((text) => base64.test(text)),
    O.chain((text) => O.tryCatch(() => utf8.decode(decodeBase64(text)))),
    O.filter((text) => text.includes(':') && !controlCharacter.test(text)),
    O.map((text) => {
      const colon = text.indexOf(':')
      return { user: text.slice(0, colon), password: text.slice(colon + 1) }
    }),
  )

/**
 * Encodes credentials. Throws a `TypeError` if the user name contains a colon, or if the user name or password contains a control
 * character.
 */
export const formatBasic = ({ user, password }: BasicCredentials): string => {
  if (user.includes(':') || controlCharacter.test(user) || controlCharacter.test(password))
    throw new TypeError(
      'invalid credentials: control characters are not allowed, and the user name must not contain a colon',
    )
  const bytes = new TextEncoder().encode(`${user}:${password}`)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const controlCharacter = /\p{Cc}/u
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decodeBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
