/** Where a service stands: an absolute URL, below which its paths begin. */
import * as E from 'fp-ts/lib/Either.js'
import * as BasicCredentials from '../../http/basic-credentials.ts'
import { parseUrl } from '../../http/parse-url.ts'

export interface Base {
  /** Without a slash at its end. */
  readonly url: string
  /** What user information in it says: it is sent as a field, and never in a URL (RFC 9110, 4.2.4). */
  readonly authorization: string | undefined
}

/** Reads one, or says in words why it is none. What it has of credentials is not repeated there. */
export const baseOf = (text: string): E.Either<string, Base> => {
  const shown = JSON.stringify(text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@'))
  const parsed = parseUrl(text)
  if (parsed === undefined)
    return E.left(`${shown} is no absolute URL, such as https://library.example/v1`)
  const { protocol, origin, pathname, search, hash, username, password } = parsed
  if (protocol !== 'http:' && protocol !== 'https:')
    return E.left(`${shown} is neither of http nor of https`)
  if (search !== '' || hash !== '')
    return E.left(
      `${JSON.stringify(`${origin}${pathname}${search}${hash}`)} has a query or a fragment, behind which no path can stand`,
    )
  const url = `${origin}${pathname.replace(/\/+$/, '')}`
  if (username === '' && password === '') return E.right({ url, authorization: undefined })
  try {
    const user = decodeURIComponent(username)
    const credentials = BasicCredentials.format({ user, password: decodeURIComponent(password) })
    return E.right({ url, authorization: `Basic ${credentials}` })
  } catch {
    return E.left(`${JSON.stringify(url)} has user information that no field can say`)
  }
}
