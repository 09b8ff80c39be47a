/**
 * Host and port: the value of the `Host` field and the authority of a target, without user information. Nothing is
 * resolved, and no default port is filled in.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.2
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2
 */
import * as O from 'fp-ts/lib/Option.js'
import * as IpAddress from './ip-address.ts'

export interface Host {
  /** In lower case; an IPv6 address stands in its brackets. */
  readonly host: string
  readonly port: O.Option<number>
}

/**
 * Reads a host with or without a port; `none` when the text is not one. An empty port is no port.
 *
 * ```text
 * Host       = uri-host [ ":" port ]
 * uri-host   = "[" IPv6address "]" / 1*( unreserved / pct-encoded / sub-delims )
 * port       = *DIGIT, at most 65535
 * ```
 *
 * An IPv4 address has the form of a name, and so has `999.0.0.1`: which of the two it is, is not decided here. An empty
 * name, which HTTP does not allow, a zone identifier and an address of a version yet to come (IPvFuture) are refused.
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

/** Writes what `parse` reads. */
export const format = ({ host, port }: Host): string =>
  O.isSome(port) ? `${host}:${port.value}` : host

const authority = /^(?:((?:[\w\-.~!$&'()*+,;=]|%[\dA-Fa-f]{2})+)|\[([\dA-Fa-f:.]+)\])(?::(\d*))?$/
