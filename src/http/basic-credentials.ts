/**
 * The credentials of the scheme Basic: a user and a password, in UTF-8.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617#section-2
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

export interface BasicCredentials {
  /** Any text without a colon or a control character, the empty one too. */
  readonly user: string
  /** Any text without a control character. */
  readonly password: string
}

/**
 * Reads what stands behind `Basic`; `none` for what is not Base64 with its padding, not UTF-8, has no colon, or a control
 * character.
 *
 * ```text
 * basic-credentials = base64( user-id ":" password )
 * ```
 */
export const parse = (credentials: string): O.Option<BasicCredentials> =>
  pipe(
    credentials,
    O.fromPredicate((text) => base64.test(text)),
    O.chain((text) => O.tryCatch(() => utf8.decode(octets(text)))),
    O.filter((text) => text.includes(':') && !control.test(text)),
    O.map((text) => {
      const colon = text.indexOf(':')
      return { user: text.slice(0, colon), password: text.slice(colon + 1) }
    }),
  )

/** Writes what stands behind `Basic`. Throws a `TypeError` for a user with a colon, and for control characters. */
export const format = ({ user, password }: BasicCredentials): string => {
  if (user.includes(':') || control.test(user) || control.test(password))
    throw new TypeError('credentials have no control character, and a user no colon')
  const text = new TextEncoder().encode(`${user}:${password}`)
  return btoa(Array.from(text, (octet) => String.fromCharCode(octet)).join(''))
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const control = /\p{Cc}/u
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const octets = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
