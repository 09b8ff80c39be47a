/**
 * Parses the request target in a request line. The path is neither decoded nor normalized. For example, `//evil/x` remains a
 * path.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
import * as O from 'fp-ts/lib/Option.js'
import type { RequestFailure } from './failure.ts'
import * as Host from './host.ts'

/** The target of a request: a resource, or the whole server (`OPTIONS *`). */
export type RequestTarget = Resource | Asterisk

export interface Resource {
  readonly _tag: 'Resource'
  /** The path, which starts with a slash. In the grammar of the URL Standard, it may contain a `%` that begins no escape. */
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

/** The characters that are accepted in paths and queries. */
export interface TargetGrammar {
  readonly originForm: RegExp
  readonly absoluteForm: RegExp
  /** Matches the beginning of a target up to the first character that is not accepted. */
  readonly beginning: RegExp
}

/**
 * Parses a request target. Returns `none` if the target is not valid for an origin server. The server then responds with 400.
 *
 * ```text
 * origin-form    = 1*( "/" segment ) [ "?" query ]
 * absolute-form  = ( "http" / "https" ) "://" uri-host [ ":" port ] [ origin-form ]
 * asterisk-form  = "*"                            for OPTIONS only
 * segment        = *( unreserved / sub-delims / ":" / "@" / "%" / "|" / "^" / "[" / "]" )
 * query          = *( unreserved / sub-delims / ":" / "@" / "%" / "/" / "?" / "[" / "]" / "|" / "^" / "{" / "}" / "`" / "\" )
 * ```
 *
 * These are the characters that the URL Standard leaves unencoded, and that browsers and `fetch` therefore send. In paths, `\` is not
 * accepted, because URL parsers read it as a slash. Spaces, control characters, non-ASCII characters and `"`, `<`, `>` and `#` must be
 * percent-encoded. With the grammar of RFC 3986, only the characters of its `pchar` are accepted, brackets in queries, and complete
 * percent escapes.
 *
 * In absolute form, an empty path is read as `/`. An OPTIONS request with an empty path and no query applies to the whole server.
 * User information is invalid. CONNECT requests are also invalid, because their targets have a different form.
 *
 * @see https://url.spec.whatwg.org/#percent-encoded-bytes
 */
export const parse = (
  method: string,
  target: string,
  grammar: TargetGrammar = urlStandard,
): O.Option<RequestTarget> => {
  if (method === 'CONNECT') return O.none
  const origin = parseOriginForm(target, grammar)
  if (origin !== undefined) return O.some(origin)
  if (method === 'OPTIONS' && target === '*') return asterisk
  const [, authority, path, query] = grammar.absoluteForm.exec(target) ?? []
  if (authority === undefined || O.isNone(Host.parse(authority))) return O.none
  return method === 'OPTIONS' && path === '' && query === undefined
    ? asterisk
    : resource(path, query, authority)
}

/** Parses a target in origin form. Returns `undefined` if the target is invalid. */
export const parseOriginForm = (target: string, grammar: TargetGrammar): Resource | undefined => {
  if (!grammar.originForm.test(target)) return undefined
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

const createGrammar = (path: string, query: string): TargetGrammar => ({
  originForm: RegExp(`^/${path}(?:\\?${query})?$`),
  absoluteForm: RegExp(`^https?://([^/?]*)((?:/${path})?)(?:\\?(${query}))?$`, 'i'),
  beginning: RegExp(`^(?:https?://[^/?]*)?(?:/${path})?(?:\\?${query})?`, 'i'),
})

// each repeated group starts with a character that the preceding character class excludes, so matching takes linear time
const withEscapes = (characters: string): string =>
  `${characters}*(?:%[\\dA-Fa-f]{2}${characters}*)*`

const rfc3986 = createGrammar(
  withEscapes(/[\w\-.~!$&'()*+,;=:@/]/.source),
  withEscapes(/[\w\-.~!$&'()*+,;=:@/?[\]]/.source),
)

const urlStandard = createGrammar(
  /[\w\-.~!$&'()*+,;=:@/%|^[\]]*/.source,
  /[\w\-.~!$&'()*+,;=:@/%|^[\]?{}`\\]*/.source,
)

/** Returns the grammar for a value of `fw.http.strict-target`. */
export const grammarOf = (isStrict: boolean): TargetGrammar => (isStrict ? rfc3986 : urlStandard)

/**
 * Returns the failure for an invalid target. Its detail names the first character that is not accepted, and the number of characters
 * before it.
 */
export const rejection = (
  target: string,
  { beginning }: TargetGrammar = urlStandard,
): RequestFailure => {
  const index = beginning.exec(target)?.[0].length ?? 0
  const character = index === 0 ? undefined : target.codePointAt(index)
  return {
    _tag: 'MalformedRequest',
    detail:
      character === undefined
        ? 'Invalid request target.'
        : `Invalid request target: percent-encode ${nameOf(character)} at index ${index}.`,
  }
}

/** In HTTP/1.1, a target is read as Latin-1, so that a character above U+007F is a byte. */
const nameOf = (character: number): string =>
  character > 0x7f && character <= 0xff
    ? `byte 0x${character.toString(16).toUpperCase()}`
    : `U+${character.toString(16).toUpperCase().padStart(4, '0')}`

/**
 * Returns the failure for a request line that is well-formed except for its target. Returns `undefined` for every other line, which must
 * not contain CR or LF.
 */
export const lineRejection = (
  line: string,
  grammar: TargetGrammar = urlStandard,
): RequestFailure | undefined => {
  const target = /^[\w!#$%&'*+.^`|~-]+ ([^]+) HTTP\/1\.[01]$/.exec(line)?.[1]
  return target === undefined || O.isSome(parse('GET', target, grammar))
    ? undefined
    : rejection(target, grammar)
}

/** Returns the position of the path in the URL of a `Request`, which has a scheme, a host that is not empty, and a path. */
export const pathStart = (url: string): number => url.indexOf('/', 'https://'.length)

/** Returns the request target in origin form for the URL of a `Request`. */
export const targetOf = (url: string): string => url.slice(pathStart(url))
