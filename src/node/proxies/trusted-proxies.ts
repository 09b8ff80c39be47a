/**
 * Resolves how a client has reached the server through trusted proxies. Starting with the peer, headers are believed as long as they
 * come from a trusted address: the first address that is not trusted is that of the client.
 *
 * ```text
 * X-Forwarded-For: 203.0.113.9, 198.51.100.7, 10.0.0.2      the peer is 10.0.0.1, and 10.0.0.0/8 is trusted
 *                  any client   the client    trusted,
 *                  may send it                sent by the peer
 * ```
 *
 * Scheme, host and port are those of the trusted proxy furthest from the server. Prefixes are joined, the outermost first.
 * Malformed values are ignored. After an unknown address, no further value is believed.
 *
 * A request may have `Forwarded` and `X-Forwarded-*` headers, of which some may come from the client, because its proxy writes
 * the others only. If they contradict each other (another client, scheme or host), all are ignored, and the peer is the client.
 * Otherwise they complement each other.
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
import type { ConnectionInfo } from './connection-info.ts'
import { originOf, peerAddressOf, schemeOf } from './connection-info.ts'
import type { ProxyHop } from './forwarded-headers.ts'
import { parseForwarded, parseXForwarded } from './forwarded-headers.ts'

/** Returns how a request has come through trusted proxies; `undefined` if the peer is not trusted or has sent no header. */
export type ResolveProxies = (
  request: IncomingMessage,
  authority: string | undefined,
) => ConnectionInfo | undefined

/** Trusts the proxies in the given CIDR blocks. `undefined` if there are no blocks. */
export const trustedProxies = (blocks: ReadonlyArray<string>): ResolveProxies | undefined => {
  if (blocks.length === 0) return undefined
  const isTrusted = createTrustCheck(blocks)
  const resolved = new WeakMap<IncomingMessage, ConnectionInfo>()
  return (request, authority) => {
    const existing = resolved.get(request)
    if (existing !== undefined) return existing
    const peer = peerAddressOf(request.socket)
    if (peer === undefined || !isTrusted(peer)) return undefined
    const values = trustedValues(request.rawHeaders, peer, schemeOf(request.socket), isTrusted)
    const info = values && connectionInfoOf(values, request, authority)
    if (info !== undefined) resolved.set(request, info)
    return info
  }
}

type IsTrusted = (address: string) => boolean

const createTrustCheck = (blocks: ReadonlyArray<string>): IsTrusted => {
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

/** The combined values of all trusted proxies. */
interface ForwardedValues {
  readonly address: string
  readonly scheme: string | undefined
  readonly host: Host.Host | undefined
  readonly port: number | undefined
  readonly prefix: string
}

const trustedValues = (
  headers: Headers,
  peer: string,
  scheme: string,
  isTrusted: IsTrusted,
): ForwardedValues | undefined => {
  const standard = combineHops(parseForwarded(headers), peer, isTrusted)
  const legacy = combineHops(parseXForwarded(headers), peer, isTrusted)
  if (standard === undefined || legacy === undefined) return standard ?? legacy
  const both: ForwardedValues = {
    address: standard.address,
    scheme: standard.scheme ?? legacy.scheme,
    host: standard.host ?? legacy.host,
    port: legacy.port,
    prefix: legacy.prefix,
  }
  return isContradictory(standard, legacy, both.scheme ?? scheme) ? undefined : both
}

const isContradictory = (a: ForwardedValues, b: ForwardedValues, scheme: string): boolean =>
  a.address !== b.address ||
  (a.scheme !== undefined && b.scheme !== undefined && a.scheme !== b.scheme) ||
  (a.host !== undefined &&
    b.host !== undefined &&
    originWith(scheme, a.host, a.port ?? b.port) !== originWith(scheme, b.host, b.port))

/** Combines the values of the trusted hops, given the nearest first; `undefined` without hops. */
const combineHops = (
  hops: ReadonlyArray<ProxyHop>,
  peer: string,
  isTrusted: IsTrusted,
): ForwardedValues | undefined => {
  if (hops.length === 0) return undefined
  const trusted: ProxyHop[] = []
  let address = peer
  for (const hop of hops) {
    trusted.push(hop)
    const next = hop.for === undefined ? undefined : Forwarded.addressOf(hop.for)
    if (next === undefined) break
    address = IpAddress.unmapIpv4(next)
    if (!isTrusted(next)) break
  }
  const outermost = trusted.toReversed()
  return {
    address,
    scheme: firstValue(outermost, ({ proto }) => proto && schemes.get(proto.toLowerCase())),
    host: firstValue(outermost, ({ host }) => host && O.toUndefined(Host.parse(host))),
    port: firstValue(outermost, ({ port }) => port && parsePort(port)),
    prefix: outermost.map(({ prefix }) => (prefix && parsePrefix(prefix)) ?? '').join(''),
  }
}

const firstValue = <A>(
  hops: ReadonlyArray<ProxyHop>,
  read: (hop: ProxyHop) => A | '' | undefined,
): A | undefined => {
  for (const hop of hops) {
    const value = read(hop)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

const schemes = new Map([
  ['http', 'http'],
  ['https', 'https'],
])

const parsePort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536 ? Number(text) : undefined

/** Parses a path prefix. Rejects paths that a URL parser would resolve to another path or host. */
const parsePrefix = (text: string): string | undefined => {
  const path = text.replace(/\/$/, '')
  return segments.test(path) && new URL(`http://a${path}`).pathname === path ? path : undefined
}

const segments = /^(?:\/(?:[\w\-.~!$&'()*+;=:@]|%[\dA-Fa-f]{2})+)+$/

const connectionInfoOf = (
  { address, scheme, host, port, prefix }: ForwardedValues,
  { socket }: IncomingMessage,
  authority: string | undefined,
): ConnectionInfo => {
  const direct = originOf(socket, authority)
  const received = O.toUndefined(Host.parse(direct.slice(direct.indexOf('//') + 2)))
  const effectiveHost = host ?? received
  const origin = effectiveHost && originWith(scheme ?? schemeOf(socket), effectiveHost, port)
  return { address, origin: origin ?? direct, prefix }
}

/** Returns a normalized origin without the default port; `undefined` for a host that is not allowed in a URL. */
const originWith = (
  scheme: string,
  host: Host.Host,
  port: number | undefined,
): string | undefined => {
  const authority = Host.format(port === undefined ? host : { ...host, port: O.some(port) })
  const text = `${scheme}://${authority}`
  return URL.canParse(text) ? new URL(text).origin : undefined
}
