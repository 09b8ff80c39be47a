/** Parses base URLs, with user information for an `Authorization` header. */
import * as E from 'fp-ts/lib/Either.js'
import * as Authorization from '../http/authorization.ts'
import { parseUrl } from '../http/host.ts'

/** A parsed base URL. */
export interface Base {
  /** URL without user information and without a trailing slash. */
  readonly url: string
  /**
   * `Authorization` header for the user information in the base URL, or `undefined` if the base URL contains none. User
   * information is never sent in a URL (RFC 9110, 4.2.4).
   */
  readonly authorization: string | undefined
}

/**
 * Parses a base URL. If it is invalid, returns a `Left` that describes the expected value. Credentials in the
 * description are masked.
 */
export const parseBaseUrl = (text: string): E.Either<string, Base> => {
  const masked = JSON.stringify(text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@'))
  const parsed = parseUrl(text)
  if (parsed === undefined)
    return E.left(`must be an absolute URL such as https://library.example/v1, got ${masked}`)
  const { protocol, origin, pathname, search, hash, username, password } = parsed
  if (protocol !== 'http:' && protocol !== 'https:')
    return E.left(`must be an http or https URL, got ${masked}`)
  if (search !== '' || hash !== '')
    return E.left(
      `must not have a query or a fragment, got ${JSON.stringify(`${origin}${pathname}${search}${hash}`)}`,
    )
  const url = `${origin}${pathname.replace(/\/+$/, '')}`
  if (username === '' && password === '') return E.right({ url, authorization: undefined })
  try {
    const user = decodeURIComponent(username)
    const credentials = Authorization.formatBasic({ user, password: decodeURIComponent(password) })
    return E.right({ url, authorization: `Basic ${credentials}` })
  } catch {
    return E.left(`invalid user information in ${JSON.stringify(url)}`)
  }
}
