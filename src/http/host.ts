/**
 * Parses and writes hosts with an optional port, as in the `Host` header or the authority of a request target. Also parses URLs.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.2
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as IpAddress from './ip-address.ts'

/**
 * Parses a URL, which can be relative if `base` is given. Returns `undefined` if the URL is invalid.
 *
 * `URL.canParse` is not used because its optimized version in Node.js 20 rejects some valid URLs with non-ASCII characters.
 */
export const parseUrl = (text: string, base?: string): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

export interface Host {
  /** The host in lower case. IPv6 addresses are in brackets. */
  readonly host: string
  readonly port: O.Option<number>
}

/**
 * Parses a host with an optional port. Returns `none` if the host or the port is invalid. An empty port is treated as missing.
 *
 * ```text
 * Host       = uri-host [ ":" port ]
 * uri-host   = "[" IPv6address "]" / 1*( unreserved / pct-encoded / sub-delims )
 * port       = *DIGIT, at most 65535
 * ```
 *
 * IPv4 addresses are parsed as names and are not validated, so `999.0.0.1` is a valid host. Empty names, zone identifiers and
 * future address formats (IPvFuture) are invalid.
 */
export const parse = (text: string): O.Option<Host> => {
  const [, name, address, digits = ''] = authority.exec(text) ?? []
  const host =
    name ??
    (address !== undefined && IpAddress.family(address) === 'ipv6' ? `[${address}]` : undefined)
  return host === undefined || Number(digits) > 65535
    ? O.none
    : O.some({ host: host.toLowerCase(), port: digits === '' ? O.none : O.some(Number(digits)) })
}

/** Writes a host and, if set, its port. */
export const format = ({ host, port }: Host): string =>
  O.isSome(port) ? `${host}:${port.value}` : host

const authority = /^(?:((?:[\w\-.~!$&'()*+,;=]|%[\dA-Fa-f]{2})+)|\[([\dA-Fa-f:.]+)\])(?::(\d*))?$/
