/**
 * Parses IP addresses and CIDR blocks in text form. Addresses are not normalized.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
 * @see https://www.rfc-editor.org/rfc/rfc4632#section-3.1
 */

export type Family = 'ipv4' | 'ipv6'

/** A CIDR block: the set of all addresses that start with the same bits. */
export interface CidrBlock {
  readonly address: string
  readonly family: Family
  /** Length of the prefix, in bits: at most 32 for IPv4 and at most 128 for IPv6. */
  readonly prefix: number
}

/**
 * Returns the IP version of an address, or `undefined` if the address is invalid. Brackets, ports and zone identifiers are
 * invalid.
 */
export const family = (text: string): Family | undefined =>
  ipv4.test(text) ? 'ipv4' : isIPv6(text) ? 'ipv6' : undefined

/**
 * Parses a CIDR block. Returns `undefined` if the block is invalid. Without a prefix length, the block consists of a single
 * address. Bits after the prefix can be nonzero, as in `10.0.0.1/8`.
 *
 * ```text
 * block = address [ "/" prefix ]        10.0.0.0/8   fd00::/8   192.0.2.1   ::1
 * ```
 */
export const parseCidr = (text: string): CidrBlock | undefined => {
  const [address = '', digits, ...rest] = text.split('/')
  const version = family(address)
  if (version === undefined || rest.length > 0) return undefined
  const bits = version === 'ipv4' ? 32 : 128
  if (digits === undefined) return { address, family: version, prefix: bits }
  return /^(?:0|[1-9]\d{0,2})$/.test(digits) && Number(digits) <= bits
    ? { address, family: version, prefix: Number(digits) }
    : undefined
}

/** Converts an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) to IPv4. Returns other addresses unchanged. */
export const unmapIpv4 = (address: string): string =>
  /^::ffff:\d/i.test(address) && ipv4.test(address.slice(mappedPrefix))
    ? address.slice(mappedPrefix)
    : address

const mappedPrefix = '::ffff:'.length

const decimalByte = /(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)/.source
const ipv4 = RegExp(String.raw`^${decimalByte}(?:\.${decimalByte}){3}$`)
const trailingIPv4 = RegExp(String.raw`(?<=^|:)${decimalByte}(?:\.${decimalByte}){3}$`)

/**
 * Whether a string is an IPv6 address. An address has eight groups. `::` replaces one or more groups of zeros, and an IPv4
 * address can replace the last two groups.
 */
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

/**
 * Returns the network of the subscriber that an address belongs to, in a normalized form. An IPv4 address is returned unchanged, and an
 * IPv4-mapped IPv6 address as IPv4. Of other IPv6 addresses, it is the block of 56 bits that a provider assigns to a customer (RFC 6177),
 * who can use all addresses in it. Zone identifiers are ignored. Returns other texts unchanged.
 */
export const subscriberNetwork = (address: string): string => {
  if (!address.includes(':')) return address
  const [text = ''] = address.split('%', 1)
  if (!isIPv6(text)) return address
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groupsOf(text)
  return a + b + c + d + e === 0 && f === 0xffff
    ? [g >> 8, g & 255, h >> 8, h & 255].join('.')
    : `${[a, b, c, d & 0xff00].map((group) => group.toString(16)).join(':')}::/56`
}

/** Returns the eight groups of an IPv6 address as numbers. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  const [start = [], end = []] = address
    .replace(trailingIPv4, (bytes) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes.split('.').map(Number)
      return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
    })
    .split('::')
    .map((half) =>
      half
        .split(':')
        .filter(Boolean)
        .map((group) => Number.parseInt(group, 16)),
    )
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end]
}
