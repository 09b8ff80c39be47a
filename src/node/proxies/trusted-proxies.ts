/**
 * How a client has reached the service through proxies. What they tell is believed only of those that the settings name, from
 * the nearest on: the first address that none of them has is the client's.
 *
 * ```text
 * X-Forwarded-For: 203.0.113.9, 198.51.100.7, 10.0.0.2      the peer is 10.0.0.1, and 10.0.0.0/8 is trusted
 *                  anybody may      the         trusted,
 *                  have said it     client      told by the peer
 * ```
 *
 * Scheme, host and port are those that the trusted proxy furthest from here tells; prefixes are joined, the outermost first.
 * What is malformed counts as not told, and behind an address that is not known nothing is believed any more.
 *
 * A request may have `Forwarded` and fields of the family `X-Forwarded-` at once, and one of them may come from the client,
 * because its proxy writes the other. If they contradict each other (another client, or another scheme or host), neither is
 * believed: the peer is then the client, which is true as far as it goes. Otherwise they complete each other.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7239#section-8
 */
import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import * as O from 'fp-ts/lib/Option.js'
import * as Forwarded from '../../http/forwarded.ts'
import type { Headers } from '../../http/headers.ts'
import * as Host from '../../http/host.ts'
import * as IpAddress from '../../http/ip-address.ts'
import type { ProxyHop } from './forwarded-headers.ts'
import { parseXForwarded, parseForwarded } from './forwarded-headers.ts'
import type { ConnectionInfo } from './connection-info.ts'
import { originOf, peerAddressOf, schemeOf } from './connection-info.ts'

/** How a request has come through trusted proxies; `undefined` when its peer is none of them, or told nothing. */
export type ResolveProxies = (
  request: IncomingMessage,
  authority: string | undefined,
) => ConnectionInfo | undefined

/** Believes the proxies in these blocks; `undefined` when there are none. */
export const trustedProxies = (blocks: ReadonlyArray<string>): ResolveProxies | undefined => {
  if (blocks.length === 0) return undefined
  const trusts = trusting(blocks)
  const known = new WeakMap<IncomingMessage, ConnectionInfo>()
  return (request, authority) => {
    const before = known.get(request)
    if (before !== undefined) return before
    const peer = peerAddressOf(request.socket)
    if (peer === undefined || !trusts(peer)) return undefined
    const told = believed(request.rawHeaders, peer, schemeOf(request.socket), trusts)
    const reach = told && reachOf(told, request, authority)
    if (reach !== undefined) known.set(request, reach)
    return reach
  }
}

type Trusts = (address: string) => boolean

const trusting = (blocks: ReadonlyArray<string>): Trusts => {
  const list = new BlockList()
  for (const block of blocks) {
    const parsed = IpAddress.parseCidr(block)
    if (parsed !== undefined) list.addSubnet(parsed.address, parsed.prefix, parsed.family)
  }
  return (text) => {
    const [address = ''] = text.split('%')
    const family = IpAddress.family(address)
    return family !== undefined && list.check(address, family)
  }
}

/** What all that are believed tell together. */
interface Told {
  readonly address: string
  readonly scheme: string | undefined
  readonly host: Host.Host | undefined
  readonly port: number | undefined
  readonly prefix: string
}

const believed = (
  headers: Headers,
  peer: string,
  scheme: string,
  trusts: Trusts,
): Told | undefined => {
  const one = toldBy(parseForwarded(headers), peer, trusts)
  const other = toldBy(parseXForwarded(headers), peer, trusts)
  if (one === undefined || other === undefined) return one ?? other
  const both: Told = {
    address: one.address,
    scheme: one.scheme ?? other.scheme,
    host: one.host ?? other.host,
    port: other.port,
    prefix: other.prefix,
  }
  return contradict(one, other, both.scheme ?? scheme) ? undefined : both
}

const contradict = (one: Told, other: Told, scheme: string): boolean =>
  one.address !== other.address ||
  (one.scheme !== undefined && other.scheme !== undefined && one.scheme !== other.scheme) ||
  (one.host !== undefined &&
    other.host !== undefined &&
    originWith(scheme, one.host, one.port ?? other.port) !==
      originWith(scheme, other.host, other.port))

/** What proxies tell, the nearest first; `undefined` when there is nothing. */
const toldBy = (hops: ReadonlyArray<ProxyHop>, peer: string, trusts: Trusts): Told | undefined => {
  if (hops.length === 0) return undefined
  const heard: ProxyHop[] = []
  let address = peer
  for (const hop of hops) {
    heard.push(hop)
    const next = hop.for === undefined ? undefined : Forwarded.addressOf(hop.for)
    if (next === undefined) break
    address = IpAddress.unmapIpv4(next)
    if (!trusts(next)) break
  }
  const outermost = heard.toReversed()
  return {
    address,
    scheme: first(outermost, ({ proto }) => proto && schemes.get(proto.toLowerCase())),
    host: first(outermost, ({ host }) => host && O.toUndefined(Host.parse(host))),
    port: first(outermost, ({ port }) => port && portOf(port)),
    prefix: outermost.map(({ prefix }) => (prefix && prefixOf(prefix)) ?? '').join(''),
  }
}

/** The first that is something. */
const first = <A>(
  hops: ReadonlyArray<ProxyHop>,
  of: (hop: ProxyHop) => A | '' | undefined,
): A | undefined => {
  for (const hop of hops) {
    const found = of(hop)
    if (found !== undefined && found !== '') return found
  }
  return undefined
}

const schemes = new Map([
  ['http', 'http'],
  ['https', 'https'],
])

const portOf = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536 ? Number(text) : undefined

/** Nothing that would resolve to another path, or to another host. */
const prefixOf = (text: string): string | undefined => {
  const path = text.replace(/\/$/, '')
  return segments.test(path) && new URL(`http://a${path}`).pathname === path ? path : undefined
}

const segments = /^(?:\/(?:[\w\-.~!$&'()*+;=:@]|%[\dA-Fa-f]{2})+)+$/

const reachOf = (
  { address, scheme, host, port, prefix }: Told,
  { socket }: IncomingMessage,
  authority: string | undefined,
): ConnectionInfo => {
  const direct = originOf(socket, authority)
  const received = O.toUndefined(Host.parse(direct.slice(direct.indexOf('//') + 2)))
  const named = host ?? received
  const origin = named && originWith(scheme ?? schemeOf(socket), named, port)
  return { address, origin: origin ?? direct, prefix }
}

/** In its normal form, without the usual port of its scheme; `undefined` for a host that no URL can have. */
const originWith = (
  scheme: string,
  host: Host.Host,
  port: number | undefined,
): string | undefined => {
  const authority = Host.format(port === undefined ? host : { ...host, port: O.some(port) })
  const text = `${scheme}://${authority}`
  return URL.canParse(text) ? new URL(text).origin : undefined
}
