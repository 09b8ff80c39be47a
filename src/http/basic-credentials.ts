/**
 * Parses and writes credentials for the `Basic` authentication scheme: a user name and a password, encoded in UTF-8.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617#section-2
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

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
export const parse = (credentials: string): O.Option<BasicCredentials> =>
  pipe(
    credentials,
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
export const format = ({ user, password }: BasicCredentials): string => {
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
