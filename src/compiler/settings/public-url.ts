/** The codec of `fw.http.public-url`: where clients reach the root of the server. */
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from '../../codec/text-or-value.ts'
import { parseUrl } from '../../http/parse-url.ts'

/**
 * Scheme, host, port and path. `URL` also accepts texts that it has to change, such as one with a backslash, and hosts with other
 * characters.
 */
const form =
  /^https?:\/\/(?:[\p{L}\p{M}\p{N}._-]+|\[[\da-f:.]+\])(?::\d+)?(\/(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*)?$/iu

/** Returns the URL in its normal form, without a slash at its end. */
const read = (text: string): O.Option<string> => {
  const [whole, path = '/'] = form.exec(text) ?? []
  const url = whole === undefined ? undefined : parseUrl(text)
  if (url === undefined) return O.none
  const { origin, pathname } = url
  // with dot segments, they differ
  if (path !== pathname) return O.none
  const prefix = pathname.replace(/\/$/, '')
  return prefix.includes('//') || prefix.endsWith('/') ? O.none : O.some(origin + prefix)
}

export const publicUrl: t.Type<string, string> = textOrValue(
  'an absolute URL such as https://api.example.com/v1, without user information, query and fragment',
  (u): u is string => typeof u === 'string' && O.exists((url: string) => url === u)(read(u)),
  read,
  String,
)
