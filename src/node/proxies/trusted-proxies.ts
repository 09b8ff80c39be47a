/**
 * Determines the client address and the server's public origin from headers added by trusted proxies.
 *
 * Addresses are read from the nearest proxy to the furthest. The first untrusted address is the address of the client:
 *
 * ```text
 * X-Forwarded-For: 203.0.113.9,    198.51.100.7, 10.0.0.2      with the peer 10.0.0.1 and 10.0.0.0/8 trusted
 *                  possibly forged  the client    a trusted proxy
 * ```
 *
 * The scheme, host and port are each taken from the outermost trusted proxy that has added a valid value. Path prefixes are joined,
 * starting with the outermost prefix. Malformed values are ignored. If an address is missing or malformed, all values to its left
 * are ignored.
 *
 * A request can have both `Forwarded` and `X-Forwarded-*` headers. If a proxy sets only one of the two kinds, the client might have
 * forged the other. If the two kinds contradict each other in the client address, scheme or host, all of these headers are ignored.
 * The peer is then treated as the client. Otherwise, the values of both kinds are combined.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7239#section-8
 */
import { unixPeer } from '../../compiler/settings/setting.ts'
import * as IpAddress from '../../http/ip-address.ts'
import * as Forwarded from '../../http/forwarded.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import { BlockList } from 'node:net'
import * as O from 'fp-ts/lib/Option.js'
import * as Host from '../../http/host.ts'

/** The client address of a request and the public URL of the server. */
export interface ConnectionInfo {
  /** The IP address of the client, or `undefined` if the connection is closed. */
  readonly address: string | undefined
  /** The scheme and authority of the server, such as `https://example.com`. */
  readonly origin: string
  /** The path prefix removed by the proxies, such as `/a/b`. Empty if no prefix has been removed. */
  readonly prefix: string
}

/** The properties of a socket from which the address and the origin of a request are determined. */
export interface ConnectionSocket {
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
  readonly destroyed?: boolean
  /** `true` for a TLS socket. */
  readonly encrypted?: unknown
}

const schemeOf = (socket: ConnectionSocket): 'http' | 'https' =>
  socket.encrypted === true ? 'https' : 'http'

/** Returns the remote address of a connection. An IPv4-mapped IPv6 address is converted to IPv4. */
export const peerAddressOf = ({ remoteAddress }: ConnectionSocket): string | undefined =>
  remoteAddress === undefined ? undefined : IpAddress.unmapIpv4(remoteAddress)

/**
 * Returns the remote address of a connection, or `unix:` for a Unix domain socket. Returns `undefined` if a TCP connection is
 * closed.
 */
const peerOf = (socket: ConnectionSocket): string | undefined =>
  socket.localPort === undefined && socket.remoteAddress === undefined && socket.destroyed !== true
    ? unixPeer
    : peerAddressOf(socket)

/**
 * Returns the scheme and authority of a request.
 *
 * Uses the local address of the connection if the authority is missing, as permitted in HTTP/1.0, or if it is not valid in a URL.
 * For example, `999.0.0.1` is not valid.
 */
export const originOf = (socket: ConnectionSocket, authority: string | undefined): string => {
  const scheme = schemeOf(socket)
  const origin = `${scheme}://${authority ?? ''}`
  return URL.canParse(origin) ? origin : `${scheme}://${localAuthority(socket)}`
}

/** Returns the local address and port of a connection, or `localhost` if the connection is closed. */
const localAuthority = ({ localAddress, localPort }: ConnectionSocket): string => {
  if (localAddress === undefined || localPort === undefined) return 'localhost'
  const [address = ''] = IpAddress.unmapIpv4(localAddress).split('%')
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`
}

/** The values added by one proxy. */
export interface ProxyHop {
  readonly for: string | undefined
  readonly proto: string | undefined
  readonly host: string | undefined
  readonly port: string | undefined
  readonly prefix: string | undefined
}

/**
 * Parses `Forwarded` headers. The result starts with the nearest proxy. Each header is parsed separately, so that an unclosed quote
 * does not affect the next header.
 */
const parseForwarded = (headers: Headers.Headers): ReadonlyArray<ProxyHop> =>
  Headers.all(headers, 'forwarded')
    .flatMap(Forwarded.parse)
    .map((element) => ({ ...element, port: undefined, prefix: undefined }))
    .toReversed()

/**
 * Parses the `X-Forwarded-For`, `-Proto`, `-Host`, `-Port` and `-Prefix` headers. The result starts with the nearest proxy.
 *
 * The lists can differ in length, because some proxies append a value to an existing list while others replace the list.
 */
const parseXForwarded = (headers: Headers.Headers): ReadonlyArray<ProxyHop> => {
  const clients = parseList(headers, 'x-forwarded-for')
  const protos = parseList(headers, 'x-forwarded-proto')
  const hosts = parseList(headers, 'x-forwarded-host')
  const ports = parseList(headers, 'x-forwarded-port')
  const prefixes = parseList(headers, 'x-forwarded-prefix')
  const length = Math.max(...[clients, protos, hosts, ports, prefixes].map((list) => list.length))
  return Array.from({ length }, (_, index) => ({
    for: clients[index],
    proto: protos[index],
    host: hosts[index],
    port: ports[index],
    prefix: prefixes[index],
  }))
}

/** Parses a comma-separated list that contains no quoted strings. Returns the members in reverse order. */
const parseList = (headers: Headers.Headers, name: string): ReadonlyArray<string> =>
  Headers.all(headers, name)
    .flatMap((value) => value.split(','))
    .map(Grammar.trim)
    .filter((member) => member !== '')
    .toReversed()

/**
 * Determines the client address, origin and path prefix of a request from the headers added by trusted proxies. Returns `undefined`
 * if the peer is not trusted, or if the headers are missing or contradictory.
 */
export type ResolveProxies = (
  request: ProxiedRequest,
  authority: string | undefined,
) => ConnectionInfo | undefined

/** A request that a proxy may have forwarded. */
export interface ProxiedRequest {
  readonly rawHeaders: Headers.Headers
  readonly socket: ConnectionSocket
}

/** Creates a resolver that trusts the proxies in the given CIDR blocks. Returns `undefined` if `blocks` is empty. */
export const trustedProxies = (blocks: ReadonlyArray<string>): ResolveProxies | undefined => {
  if (blocks.length === 0) return undefined
  const isTrusted = createTrustCheck(blocks)
  const resolved = new WeakMap<ProxiedRequest, ConnectionInfo>()
  return (request, authority) => {
    const existing = resolved.get(request)
    if (existing !== undefined) return existing
    const peer = peerOf(request.socket)
    if (peer === undefined || !isTrusted(peer)) return undefined
    const values = trustedValues(request.rawHeaders, peer, schemeOf(request.socket), isTrusted)
    const info = values && connectionInfoOf(values, request, authority)
    if (info !== undefined) resolved.set(request, info)
    return info
  }
}

type IsTrusted = (address: string) => boolean

const createTrustCheck = (blocks: ReadonlyArray<string>): IsTrusted => {
  const trustsUnix = blocks.includes(unixPeer)
  const list = new BlockList()
  for (const block of blocks) {
    const parsed = IpAddress.parseCidr(block)
    if (parsed !== undefined) list.addSubnet(parsed.address, parsed.prefix, parsed.family)
  }
  return (text) => {
    if (text === unixPeer) return trustsUnix
    const [address = ''] = text.split('%')
    const family = IpAddress.family(address)
    return family !== undefined && list.check(address, family)
  }
}

/** The request properties that are determined from the headers added by trusted proxies. */
interface ForwardedValues {
  readonly address: string
  readonly scheme: string | undefined
  readonly host: Host.Host | undefined
  readonly port: number | undefined
  readonly prefix: string
}

const trustedValues = (
  headers: Headers.Headers,
  peer: string,
  scheme: string,
  isTrusted: IsTrusted,
): ForwardedValues | undefined => {
  const standard = combineHops(parseForwarded(headers), peer, isTrusted)
  const legacy = combineHops(parseXForwarded(headers), peer, isTrusted)
  if (standard === undefined || legacy === undefined) return standard ?? legacy
  const combined: ForwardedValues = {
    address: standard.address,
    scheme: standard.scheme ?? legacy.scheme,
    host: standard.host ?? legacy.host,
    port: legacy.port,
    prefix: legacy.prefix,
  }
  return isContradictory(standard, legacy, combined.scheme ?? scheme) ? undefined : combined
}

const isContradictory = (a: ForwardedValues, b: ForwardedValues, scheme: string): boolean =>
  a.address !== b.address ||
  (a.scheme !== undefined && b.scheme !== undefined && a.scheme !== b.scheme) ||
  (a.host !== undefined &&
    b.host !== undefined &&
    originWith(scheme, a.host, a.port ?? b.port) !== originWith(scheme, b.host, b.port))

/**
 * Combines the values added by the trusted proxies. `hops` starts with the nearest proxy. Returns `undefined` if `hops` is empty.
 */
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
    scheme: firstValue(outermost, ({ proto }) => proto && parseScheme(proto)),
    host: firstValue(outermost, ({ host }) => host && O.toUndefined(Host.parse(host))),
    port: firstValue(outermost, ({ port }) => port && parsePort(port)),
    prefix: outermost.map(({ prefix }) => (prefix && parsePrefix(prefix)) ?? '').join(''),
  }
}

const firstValue = <A>(
  hops: ReadonlyArray<ProxyHop>,
  read: (hop: ProxyHop) => A | '' | undefined,
): A | undefined => hops.map(read).find((value): value is A => value !== undefined && value !== '')

const parseScheme = (text: string): string | undefined =>
  /^https?$/i.test(text) ? text.toLowerCase() : undefined

const parsePort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536 ? Number(text) : undefined

/** Parses a path prefix. Returns `undefined` if a URL parser would resolve the prefix to another path or host. */
export const parsePrefix = (text: string): string | undefined => {
  const path = text.replace(/\/$/, '')
  return segments.test(path) && new URL(`http://a${path}`).pathname === path ? path : undefined
}

const segments = /^(?:\/(?:[\w\-.~!$&'()*+;=:@]|%[\dA-Fa-f]{2})+)+$/

const connectionInfoOf = (
  { address, scheme, host, port, prefix }: ForwardedValues,
  { socket }: ProxiedRequest,
  authority: string | undefined,
): ConnectionInfo => {
  const direct = originOf(socket, authority)
  const received = O.toUndefined(Host.parse(direct.slice(direct.indexOf('//') + 2)))
  const effectiveHost = host ?? received
  const origin = effectiveHost && originWith(scheme ?? schemeOf(socket), effectiveHost, port)
  // without `X-Forwarded-For`, the address of a client behind a Unix domain socket is unknown
  return {
    address: address === unixPeer ? undefined : address,
    origin: origin ?? direct,
    prefix,
  }
}

/** Returns a normalized origin without the default port, or `undefined` if the host is not valid in a URL. */
const originWith = (
  scheme: string,
  host: Host.Host,
  port: number | undefined,
): string | undefined => {
  const authority = Host.format(port === undefined ? host : { ...host, port: O.some(port) })
  const text = `${scheme}://${authority}`
  return URL.canParse(text) ? new URL(text).origin : undefined
}
