/** How a client has reached the service, as far as its connection tells. */
import type { IncomingMessage } from 'node:http'
import * as IpAddress from '../../http/ip-address.ts'

export interface ConnectionInfo {
  /** Of the client; `undefined` when the connection is gone. */
  readonly address: string | undefined
  /** Scheme and authority. A URL can begin with it. */
  readonly origin: string
  /** The path in front of that of the request, which a proxy has taken off: empty, or `/a/b`. */
  readonly prefix: string
}

type Socket = IncomingMessage['socket']

export const schemeOf = (socket: Socket): 'http' | 'https' =>
  'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'

/** The address of the other end. */
export const peerAddressOf = ({ remoteAddress }: Socket): string | undefined =>
  remoteAddress === undefined ? undefined : IpAddress.unmapIpv4(remoteAddress)

/**
 * Scheme and authority of a request. A client of HTTP/1.0 may say no `Host`, and anybody one that no URL can have, such as
 * `999.0.0.1`: the address at which the connection has arrived counts then.
 */
export const originOf = (socket: Socket, authority: string | undefined): string => {
  const scheme = schemeOf(socket)
  const stated = `${scheme}://${authority ?? ''}`
  return URL.canParse(stated) ? stated : `${scheme}://${localAuthority(socket)}`
}

/** Where the connection has arrived; `localhost` when it is gone. */
const localAuthority = ({ localAddress, localPort }: Socket): string => {
  if (localAddress === undefined || localPort === undefined) return 'localhost'
  const [address = ''] = IpAddress.unmapIpv4(localAddress).split('%')
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
