/**
 * The target of a request line: what a request is about, as the client wrote it. The path is neither decoded nor brought
 * to a normal form, and nothing is resolved: `//evil/x` is a path.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Host from './host.ts'

/** A resource, or (`OPTIONS *`) the server as a whole. */
export type RequestTarget = Resource | Asterisk

export interface Resource {
  readonly _tag: 'Resource'
  /** Begins with a slash; every percent escape in it is well-formed. */
  readonly path: string
  /** Without its question mark; empty when nothing follows it, `undefined` when there is none. */
  readonly query: string | undefined
  /** Of a target in absolute form: it counts in place of the `Host` field, and `Host.parse` reads it. */
  readonly authority: string | undefined
}

export interface Asterisk {
  readonly _tag: 'Asterisk'
}

/**
 * Reads the target of a request; `none` when it is not one that an origin server answers: 400.
 *
 * ```text
 * origin-form    = 1*( "/" segment ) [ "?" query ]
 * absolute-form  = ( "http" / "https" ) "://" uri-host [ ":" port ] [ origin-form ]
 * asterisk-form  = "*"                            for OPTIONS alone
 * segment        = *( unreserved / pct-encoded / sub-delims / ":" / "@" )
 * query          = *( unreserved / pct-encoded / sub-delims / ":" / "@" / "/" / "?" / "[" / "]" )
 * ```
 *
 * So `#`, spaces, controls, the characters `"<>\^{|}` and the backtick, and all beyond ASCII have to be escaped. Brackets
 * are taken in a query although RFC 3986 has them escaped there: browsers and client libraries write `?filter[name]=x`. In
 * absolute form an empty path is `/`; for OPTIONS without a query it means the server. User information is refused, and
 * so is CONNECT, whose target is of another kind.
 */
export const parse = (method: string, target: string): O.Option<RequestTarget> => {
  if (method === 'CONNECT') return O.none
  const origin = originForm.exec(target)
  if (origin !== null) return resource(origin[1], origin[2], undefined)
  if (method === 'OPTIONS' && target === '*') return asterisk
  const [, authority, path, query] = absoluteForm.exec(target) ?? []
  if (authority === undefined || O.isNone(Host.parse(authority))) return O.none
  return method === 'OPTIONS' && path === '' && query === undefined
    ? asterisk
    : resource(path, query, authority)
}

const asterisk: O.Option<RequestTarget> = O.some({ _tag: 'Asterisk' })

const resource = (
  path: string | undefined,
  query: string | undefined,
  authority: string | undefined,
): O.Option<RequestTarget> => O.some({ _tag: 'Resource', path: path || '/', query, authority })

// A repeated group begins with a character that the class before it does not take, so that reading takes linear time.
const plain = /[\w\-.~!$&'()*+,;=:@/]*/.source
const escape = /%[\dA-Fa-f]{2}/.source
const pathForm = `/${plain}(?:${escape}${plain})*`
const inQuery = /[\w\-.~!$&'()*+,;=:@/?[\]]*/.source
const queryForm = String.raw`(?:\?(${inQuery}(?:${escape}${inQuery})*))?`

const originForm = RegExp(`^(${pathForm})${queryForm}$`)
const absoluteForm = RegExp(`^https?://([^/?]*)((?:${pathForm})?)${queryForm}$`, 'i')
