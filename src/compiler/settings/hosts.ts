/**
 * Codecs and checks for the `fw.http.allowed-hosts` and `fw.http.public-url` settings.
 *
 * If allowed hosts are configured, the server rejects requests to other hosts. This prevents a forged `Host` header from
 * affecting absolute URIs and caches. An allowed host has one of these forms:
 *
 * ```text
 * example.com          this host, on any port
 * example.com:8443     this host on this port; if a request has no port, the default for its scheme applies (80 or 443)
 * *.example.com        all subdomains of example.com, but not example.com itself
 * [::1]  192.0.2.1     IP addresses
 * ```
 *
 * Comparisons ignore case, a trailing dot, and differences in IPv6 notation.
 */
import { textOrValue } from '../../codec/from-string.ts'
import { parseUrl } from '../../http/host.ts'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { memoizeHeader } from '../../http/headers.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Host from '../../http/host.ts'
import * as IpAddress from '../../http/ip-address.ts'
import { normalizedText } from './setting.ts'

/** A parsed entry of the list of allowed hosts. */
interface HostPattern {
  /** Whether the pattern matches all subdomains of `host`, but not `host` itself. */
  readonly isWildcard: boolean
  readonly host: string
  /** The port that must match. If `undefined`, any port matches. */
  readonly port: number | undefined
}

const patternForm = /^(\*\.)?(\[[^\]]+\]|[^\s:/?#@[\]\\%*]+)(?::(\d{1,5}))?$/
const nameForm = /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/

const parse = (text: string): O.Option<HostPattern> => {
  const [, wildcard, name = '', digits] = patternForm.exec(text) ?? []
  const isWildcard = wildcard !== undefined
  const host = name.startsWith('[') ? ipv6Of(name) : nameOf(name)
  const port = digits === undefined ? undefined : Number(digits)
  const isAddress = name.startsWith('[') || IpAddress.family(name) === 'ipv4'
  if (host === undefined || (isWildcard && isAddress)) return O.none
  return port === undefined || (port > 0 && port <= 65_535)
    ? O.some({ isWildcard, host, port })
    : O.none
}

const ipv6Of = (text: string): string | undefined =>
  IpAddress.family(text.slice(1, -1)) === 'ipv6' ? new URL(`http://${text}`).hostname : undefined

/**
 * Converts a host name to ASCII. An IPv4 address must be in dotted-decimal form.
 *
 * Returns `undefined` for invalid names, and for other forms of IPv4 addresses that `URL` accepts, such as `127.1`.
 */
const nameOf = (text: string): string | undefined => {
  const url = parseUrl(`http://${text}`)
  if (url === undefined) return undefined
  const host = withoutTrailingDot(url.hostname)
  const isValid =
    IpAddress.family(host) === undefined ? nameForm.test(host) : host === withoutTrailingDot(text)
  return isValid ? host : undefined
}

const withoutTrailingDot = (host: string): string => host.replace(/\.$/, '')

const format = ({ isWildcard, host, port }: HostPattern): string =>
  `${isWildcard ? '*.' : ''}${host}${port === undefined ? '' : `:${port}`}`

const readHostPattern = (text: string): O.Option<string> => O.map(format)(parse(text))

const isNormalized = (u: unknown): boolean =>
  typeof u === 'string' && O.exists((text: string) => text === u)(readHostPattern(u))

/**
 * A codec for a comma-separated list of hosts. Decoding a string normalizes the hosts. An array must contain normalized hosts.
 */
export const hostPatternList: t.Type<ReadonlyArray<string>, string> = textOrValue<
  ReadonlyArray<string>
>(
  'comma-separated hosts (such as "example.com, *.example.com:8443, [::1]")',
  (u): u is ReadonlyArray<string> => Array.isArray(u) && u.every(isNormalized),
  (text) => {
    const hosts = Grammar.splitList(text).map(readHostPattern)
    return hosts.every(O.isSome) ? O.some(hosts.map(({ value }) => value)) : O.none
  },
  (hosts) => hosts.join(', '),
)

/**
 * Creates a function that checks whether requests to an origin, such as `http://example.com:8080`, are allowed. Returns
 * `undefined` if `hosts` is empty, because all hosts are then allowed.
 */
export const hostCheck = (
  hosts: ReadonlyArray<string>,
): ((origin: string) => boolean) | undefined => {
  if (hosts.length === 0) return undefined
  const patterns = hosts.map(parse).flatMap((pattern) => (O.isSome(pattern) ? [pattern.value] : []))
  // memoized, because most requests are sent to the same few hosts
  return memoizeHeader((origin = '') => {
    const [scheme = '', authority = ''] = origin.split('://')
    const parsed = O.toUndefined(Host.parse(authority))
    if (parsed === undefined) return false
    const host = parsed.host.startsWith('[') ? ipv6Of(parsed.host) : withoutTrailingDot(parsed.host)
    const port = O.getOrElse((): number => (scheme === 'https' ? 443 : 80))(parsed.port)
    return patterns.some(
      (pattern) =>
        (pattern.port === undefined || pattern.port === port) &&
        (pattern.isWildcard ? host?.endsWith(`.${pattern.host}`) : host === pattern.host),
    )
  })
}

/**
 * Matches a public URL, which consists of a scheme, a host, and optionally a port and a path. `URL` is more lenient: for
 * example, it converts backslashes to slashes and accepts more characters in hosts.
 */
const publicUrlForm =
  /^https?:\/\/(?:[\p{L}\p{M}\p{N}._-]+|\[[\da-f:.]+\])(?::\d+)?(\/(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*)?$/iu

/** Parses a public URL. Returns the normalized URL without a trailing slash. */
const readPublicUrl = (text: string): O.Option<string> => {
  const [whole, path = '/'] = publicUrlForm.exec(text) ?? []
  const url = whole === undefined ? undefined : parseUrl(text)
  if (url === undefined) return O.none
  const { origin, pathname } = url
  // `pathname` differs from `path` if the path has dot segments
  if (path !== pathname) return O.none
  const prefix = pathname.replace(/\/$/, '')
  return prefix.includes('//') || prefix.endsWith('/') ? O.none : O.some(origin + prefix)
}

/** A codec for an absolute URL without user information, query or fragment. */
export const publicUrl: t.Type<string, string> = normalizedText(
  'an absolute URL such as https://api.example.com/v1, without user information, a query or a fragment',
  readPublicUrl,
)
