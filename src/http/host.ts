/**
 * Host and port: the value of the `Host` field and the authority of a target, without user information. Nothing is
 * resolved, and no default port is filled in.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.2
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2
 */
import * as O from 'fp-ts/lib/Option.js'

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
  const host = name ?? (address !== undefined && isIPv6(address) ? `[${address}]` : undefined)
  return host === undefined || Number(digits) > 65535
    ? O.none
    : O.some({ host: host.toLowerCase(), port: digits === '' ? O.none : O.some(Number(digits)) })
}

/** Writes what `parse` reads. */
export const format = ({ host, port }: Host): string =>
  O.isSome(port) ? `${host}:${port.value}` : host

const authority = /^(?:((?:[\w\-.~!$&'()*+,;=]|%[\dA-Fa-f]{2})+)|\[([\dA-Fa-f:.]+)\])(?::(\d*))?$/

const octet = /(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)/.source
const trailingIPv4 = RegExp(String.raw`(?<=^|:)${octet}(?:\.${octet}){3}$`)

/** Eight groups, of which `::` stands for one or more that are zero; an IPv4 address may stand for the last two. */
const isIPv6 = (text: string): boolean => {
  const halves = text
    .replace(trailingIPv4, '0:0')
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')))
  const groups = halves.flat()
  return (
    groups.every((group) => /^[\dA-Fa-f]{1,4}$/.test(group)) &&
    (halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8)
  )
}
