/**
 * Hosts with an optional port: values of the `Host` header and authorities of request targets.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.2
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as IpAddress from './ip-address.ts'

export interface Host {
  /** In lower case. IPv6 addresses are in brackets. */
  readonly host: string
  readonly port: O.Option<number>
}

/**
 * Parses a host with an optional port. Returns `none` for an invalid one. An empty port is treated as missing.
 *
 * ```text
 * Host       = uri-host [ ":" port ]
 * uri-host   = "[" IPv6address "]" / 1*( unreserved / pct-encoded / sub-delims )
 * port       = *DIGIT, at most 65535
 * ```
 *
 * IPv4 addresses have the form of a name, as has `999.0.0.1`; they are not validated. Empty names, zone identifiers and
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

/** Writes a host with its port, if it has one. */
export const format = ({ host, port }: Host): string =>
  O.isSome(port) ? `${host}:${port.value}` : host

const authority = /^(?:((?:[\w\-.~!$&'()*+,;=]|%[\dA-Fa-f]{2})+)|\[([\dA-Fa-f:.]+)\])(?::(\d*))?$/
