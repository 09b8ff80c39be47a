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
  const plain = parsePlain(target)
  if (plain !== undefined) return O.some(plain)
  const origin = originForm.exec(target)
  if (origin !== null) return resource(origin[1], origin[2], undefined)
  if (method === 'OPTIONS' && target === '*') return asterisk
  const [, authority, path, query] = absoluteForm.exec(target) ?? []
  if (authority === undefined || O.isNone(Host.parse(authority))) return O.none
  return method === 'OPTIONS' && path === '' && query === undefined
    ? asterisk
    : resource(path, query, authority)
}

/**
 * Parses a target in origin form without percent escapes. Returns `undefined` for all other targets.
 *
 * Checking each character takes less time than the regular expression, which creates an array.
 */
const parsePlain = (target: string): Resource | undefined => {
  if (target.charCodeAt(0) !== slash) return undefined
  const pathEnd = endOfRun(target, 1, isPathCharacter)
  if (pathEnd === target.length)
    return { _tag: 'Resource', path: target, query: undefined, authority: undefined }
  return target.charCodeAt(pathEnd) === questionMark &&
    endOfRun(target, pathEnd + 1, isQueryCharacter) === target.length
    ? {
        _tag: 'Resource',
        path: target.slice(0, pathEnd),
        query: target.slice(pathEnd + 1),
        authority: undefined,
      }
    : undefined
}

/** Returns the index of the first character, at `start` or later, that is not in a table. */
const endOfRun = (text: string, start: number, table: CharacterTable): number => {
  let index = start
  while (index < text.length && table[text.charCodeAt(index)] === true) index++
  return index
}

const slash = 0x2f
const questionMark = 0x3f

const asterisk: O.Option<RequestTarget> = O.some({ _tag: 'Asterisk' })

const resource = (
  path: string | undefined,
  query: string | undefined,
  authority: string | undefined,
): O.Option<RequestTarget> => O.some({ _tag: 'Resource', path: path || '/', query, authority })

/** Whether a character is in a set, by ASCII code. */
type CharacterTable = ReadonlyArray<boolean>

const characterTable = (set: RegExp): CharacterTable =>
  Array.from({ length: 128 }, (_, code) => set.test(String.fromCharCode(code)))

const pathCharacter = /[\w\-.~!$&'()*+,;=:@/]/
const queryCharacter = /[\w\-.~!$&'()*+,;=:@/?[\]]/
const isPathCharacter = characterTable(pathCharacter)
const isQueryCharacter = characterTable(queryCharacter)

// each repeated group starts with a character that the preceding character class excludes, so matching takes linear time
const pathCharacters = `${pathCharacter.source}*`
const escape = /%[\dA-Fa-f]{2}/.source
const pathPattern = `/${pathCharacters}(?:${escape}${pathCharacters})*`
const queryCharacters = `${queryCharacter.source}*`
const queryPattern = String.raw`(?:\?(${queryCharacters}(?:${escape}${queryCharacters})*))?`

const originForm = RegExp(`^(${pathPattern})${queryPattern}$`)
const absoluteForm = RegExp(`^https?://([^/?]*)((?:${pathPattern})?)${queryPattern}$`, 'i')
