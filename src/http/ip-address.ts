/**
 * Addresses of the Internet Protocol, and blocks of them, as text. Nothing is brought to a normal form.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
 * @see https://www.rfc-editor.org/rfc/rfc4632#section-3.1
 */

export type Family = 'ipv4' | 'ipv6'

/** All addresses that begin with the same bits; a block of all bits is one address. */
export interface CidrBlock {
  readonly address: string
  readonly family: Family
  /** How many bits count: up to 32 in version 4, up to 128 in version 6. */
  readonly prefix: number
}

/** The version of an address, without brackets, port and zone; `undefined` for what is none. */
export const family = (text: string): Family | undefined =>
  ipv4.test(text) ? 'ipv4' : isIPv6(text) ? 'ipv6' : undefined

/**
 * Reads a block; `undefined` when the text is not one. Bits behind the prefix may be anything.
 *
 * ```text
 * block = address [ "/" prefix ]        10.0.0.0/8   fd00::/8   192.0.2.1   ::1
 * ```
 */
export const parseCidr = (text: string): CidrBlock | undefined => {
  const [address = '', digits, ...rest] = text.split('/')
  const version = family(address)
  if (version === undefined || rest.length > 0) return undefined
  const most = version === 'ipv4' ? 32 : 128
  if (digits === undefined) return { address, family: version, prefix: most }
  return /^(?:0|[1-9]\d{0,2})$/.test(digits) && Number(digits) <= most
    ? { address, family: version, prefix: Number(digits) }
    : undefined
}

/** An address of version 4 that is written as one of version 6 (RFC 4291, 2.5.5.2) as it is without that; others as they are. */
export const unmapIpv4 = (address: string): string =>
  /^::ffff:\d/i.test(address) && ipv4.test(address.slice(mapped)) ? address.slice(mapped) : address

const mapped = '::ffff:'.length

const octet = /(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)/.source
const ipv4 = RegExp(String.raw`^${octet}(?:\.${octet}){3}$`)
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
