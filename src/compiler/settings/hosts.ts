/**
 * Hosts that a server responds for (`fw.http.allowed-hosts`), so that a forged `Host` reaches neither absolute URIs nor
 * caches.
 *
 * ```text
 * example.com          this host on every port
 * example.com:8443     on this port; a request without a port has that of its scheme, 80 or 443
 * *.example.com        every host below example.com, and not example.com itself
 * [::1]  192.0.2.1     addresses
 * ```
 *
 * Case, a dot at the end of a name and the notation of an IPv6 address make no difference.
 */
import { textOrValue } from '../../codec/text-or-value.ts'
import { parseUrl } from '../../http/parse-url.ts'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Host from '../../http/host.ts'
import * as IpAddress from '../../http/ip-address.ts'

interface HostPattern {
  /** Whether hosts below this one are meant. */
  readonly isWildcard: boolean
  readonly host: string
  /** Any port if `undefined`. */
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

/** A name in ASCII, or an IPv4 address in its usual form: `URL` reads others, such as `127.1`. */
const nameOf = (text: string): string | undefined => {
  const url = parseUrl(`http://${text}`)
  if (url === undefined) return undefined
  const host = withoutDot(url.hostname)
  const isValid =
    IpAddress.family(host) === undefined ? nameForm.test(host) : host === withoutDot(text)
  return isValid ? host : undefined
}

const withoutDot = (host: string): string => host.replace(/\.$/, '')

const format = ({ isWildcard, host, port }: HostPattern): string =>
  `${isWildcard ? '*.' : ''}${host}${port === undefined ? '' : `:${port}`}`

const read = (text: string): O.Option<string> => O.map(format)(parse(text))

const isNormal = (u: unknown): boolean =>
  typeof u === 'string' && O.exists((text: string) => text === u)(read(u))

/** A comma list of hosts, in their normal form; a program may give an array. */
export const hostPatternList: t.Type<ReadonlyArray<string>, string> = textOrValue<
  ReadonlyArray<string>
>(
  'comma-separated hosts, such as example.com, *.example.com:8443, [::1]',
  (u): u is ReadonlyArray<string> => Array.isArray(u) && u.every(isNormal),
  (text) => {
    const hosts = Grammar.splitList(text).map(read)
    return hosts.every(O.isSome) ? O.some(hosts.map(({ value }) => value)) : O.none
  },
  (hosts) => hosts.join(', '),
)

/**
 * Prepares the check of scheme and authority of a request, such as `http://example.com:8080`; `undefined` where every host is
 * allowed.
 */
export const hostCheck = (
  hosts: ReadonlyArray<string>,
): ((origin: string) => boolean) | undefined => {
  if (hosts.length === 0) return undefined
  const patterns = hosts.map(parse).flatMap((one) => (O.isSome(one) ? [one.value] : []))
  // most requests are for few hosts
  return memoizeHeader((origin = '') => {
    const [scheme = '', authority = ''] = origin.split('://')
    const parsed = O.toUndefined(Host.parse(authority))
    if (parsed === undefined) return false
    const host = parsed.host.startsWith('[') ? ipv6Of(parsed.host) : withoutDot(parsed.host)
    const port = O.getOrElse((): number => (scheme === 'https' ? 443 : 80))(parsed.port)
    return patterns.some(
      (pattern) =>
        (pattern.port === undefined || pattern.port === port) &&
        (pattern.isWildcard ? host?.endsWith(`.${pattern.host}`) : host === pattern.host),
    )
  })
}

/**
 * Scheme, host, port and path. `URL` also accepts texts that it has to change, such as one with a backslash, and hosts with other
 * characters.
 */
const publicUrlForm =
  /^https?:\/\/(?:[\p{L}\p{M}\p{N}._-]+|\[[\da-f:.]+\])(?::\d+)?(\/(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*)?$/iu

/** Returns the URL in its normal form, without a slash at its end. */
const readPublicUrl = (text: string): O.Option<string> => {
  const [whole, path = '/'] = publicUrlForm.exec(text) ?? []
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
  (u): u is string =>
    typeof u === 'string' && O.exists((url: string) => url === u)(readPublicUrl(u)),
  readPublicUrl,
  String,
)
