/**
 * Parses the request target in a request line. The path is neither decoded nor normalized. For example, `//evil/x` remains a
 * path.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Host from './host.ts'

/** The target of a request: a resource, or the whole server (`OPTIONS *`). */
export type RequestTarget = Resource | Asterisk

export interface Resource {
  readonly _tag: 'Resource'
  /** The path, which starts with a slash. All percent escapes are well-formed. */
  readonly path: string
  /**
   * The query without the question mark. The query is empty if nothing follows the question mark, and `undefined` if the target
   * has no question mark.
   */
  readonly query: string | undefined
  /**
   * The authority of a target in absolute form, or `undefined` for a target in origin form. Takes precedence over the `Host`
   * header. `Host.parse` accepts every authority that this member can contain.
   */
  readonly authority: string | undefined
}

export interface Asterisk {
  readonly _tag: 'Asterisk'
}

/**
 * Parses a request target. Returns `none` if the target is not valid for an origin server. The server then responds with 400.
 *
 * ```text
 * origin-form    = 1*( "/" segment ) [ "?" query ]
 * absolute-form  = ( "http" / "https" ) "://" uri-host [ ":" port ] [ origin-form ]
 * asterisk-form  = "*"                            for OPTIONS only
 * segment        = *( unreserved / pct-encoded / sub-delims / ":" / "@" )
 * query          = *( unreserved / pct-encoded / sub-delims / ":" / "@" / "/" / "?" / "[" / "]" )
 * ```
 *
 * Spaces, control characters, non-ASCII characters, `#`, the backtick and the characters `"<>\^{|}` must be percent-encoded. RFC
 * 3986 does not allow brackets in queries. They are nevertheless accepted, because browsers and client libraries send
 * `?filter[name]=x`.
 *
 * In absolute form, an empty path is read as `/`. An OPTIONS request with an empty path and no query applies to the whole server.
 * User information is invalid. CONNECT requests are also invalid, because their targets have a different form.
 */
export const parse = (method: string, target: string): O.Option<RequestTarget> => {
  if (method === 'CONNECT') return O.none
  const origin = parseOriginForm(target)
  if (origin !== undefined) return O.some(origin)
  if (method === 'OPTIONS' && target === '*') return asterisk
  const [, authority, path, query] = absoluteForm.exec(target) ?? []
  if (authority === undefined || O.isNone(Host.parse(authority))) return O.none
  return method === 'OPTIONS' && path === '' && query === undefined
    ? asterisk
    : resource(path, query, authority)
}

/** Parses a target in origin form. Returns `undefined` if the target is invalid. */
export const parseOriginForm = (target: string): Resource | undefined => {
  if (!originForm.test(target)) return undefined
  const mark = target.indexOf('?')
  return {
    _tag: 'Resource',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? undefined : target.slice(mark + 1),
    authority: undefined,
  }
}

const asterisk: O.Option<RequestTarget> = O.some({ _tag: 'Asterisk' })

const resource = (
  path: string | undefined,
  query: string | undefined,
  authority: string | undefined,
): O.Option<RequestTarget> => O.some({ _tag: 'Resource', path: path || '/', query, authority })

// each repeated group starts with a character that the preceding character class excludes, so matching takes linear time
const pathCharacters = /[\w\-.~!$&'()*+,;=:@/]*/.source
const escape = /%[\dA-Fa-f]{2}/.source
const pathPattern = `/${pathCharacters}(?:${escape}${pathCharacters})*`
const queryCharacters = /[\w\-.~!$&'()*+,;=:@/?[\]]*/.source
const queryPattern = String.raw`(?:\?(${queryCharacters}(?:${escape}${queryCharacters})*))?`

const originForm = RegExp(`^${pathPattern}${queryPattern}$`)
const absoluteForm = RegExp(`^https?://([^/?]*)((?:${pathPattern})?)${queryPattern}$`, 'i')

/** Returns the position of the path in the URL of a `Request`, which has a scheme, a host that is not empty, and a path. */
export const pathStart = (url: string): number => url.indexOf('/', 'https://'.length)
