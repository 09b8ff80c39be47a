/** The client address and the origin of a request, according to its connection. */
import type { IncomingMessage } from 'node:http'
import * as IpAddress from '../../http/ip-address.ts'

/** How a client has reached the server, possibly through proxies. */
export interface ConnectionInfo {
  /** The address of the client; `undefined` if the connection is closed. */
  readonly address: string | undefined
  /** Scheme and authority, such as `https://example.com`. */
  readonly origin: string
  /** The path prefix that a proxy has removed: empty, or `/a/b`. */
  readonly prefix: string
}

type Socket = IncomingMessage['socket']

export const schemeOf = (socket: Socket): 'http' | 'https' =>
  'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'

/** Returns the remote address of a connection. */
export const peerAddressOf = ({ remoteAddress }: Socket): string | undefined =>
  remoteAddress === undefined ? undefined : IpAddress.unmapIpv4(remoteAddress)

/**
 * Returns scheme and authority of a request.
 *
 * Falls back to the local address of the connection if the authority is missing, as in HTTP/1.0 requests without `Host`, or not
 * allowed in a URL, such as `999.0.0.1`.
 */
export const originOf = (socket: Socket, authority: string | undefined): string => {
  const scheme = schemeOf(socket)
  const origin = `${scheme}://${authority ?? ''}`
  return URL.canParse(origin) ? origin : `${scheme}://${localAuthority(socket)}`
}

/** Returns the local address and port; `localhost` if the connection is closed. */
const localAuthority = ({ localAddress, localPort }: Socket): string => {
  if (localAddress === undefined || localPort === undefined) return 'localhost'
  const [address = ''] = IpAddress.unmapIpv4(localAddress).split('%')
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
