/** Detects HTTP/2 with prior knowledge on connections without TLS. */
import type { Settings } from '../../compiler/settings/settings.ts'
import type { Connection, Protocols } from '../connection/connections.ts'

/** The bytes with which HTTP/2 clients begin a connection (RFC 9113, 3.4). They are not a valid HTTP/1.1 request. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/**
 * Returns a function that serves connections with HTTP/2 if they begin with its preface, and otherwise with HTTP/1.1. If HTTP/2 is
 * off, all connections are served with HTTP/1.1 without waiting for their first bytes.
 *
 * A connection that sends only a part of the preface within `fw.http.header-timeout` is closed. A connection whose first line has no
 * version of HTTP is closed without a response, because the client may expect HTTP/2 (RFC 9113, 3.4).
 */
export const detectProtocol = (
  { http1, http2 }: Protocols,
  settings: Settings,
): ((connection: Connection) => void) => {
  if (http2 === undefined) return (connection) => connection.serve(http1)
  const timeout = settings['fw.http.header-timeout']
  return (connection) => {
    const socket = connection.transport
    let received = Buffer.alloc(0)
    const timer = timeout === 0 ? undefined : setTimeout(() => socket.destroy(), timeout)
    const destroy = (): void => void socket.destroy()
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk])
      const isPreface = startsAlike(received)
      if (isPreface && received.length < preface.length) return
      stop()
      socket.pause()
      socket.unshift(received)
      if (isPreface) return connection.serve(http2)
      if (isNeither(received)) return destroy()
      connection.serve(http1)
      socket.resume()
    }
    const stop = (): void => {
      clearTimeout(timer)
      socket.off('data', onData).off('end', destroy).off('error', destroy).off('close', stop)
    }
    socket.on('data', onData).on('end', destroy).on('error', destroy).on('close', stop)
  }
}

/**
 * Whether the first line is complete and does not end with a version of HTTP/1. A line that is incomplete may be HTTP/1.1, and an empty
 * line may precede a request (RFC 9112, 2.2).
 */
const isNeither = (bytes: Buffer): boolean => {
  const end = bytes.indexOf('\n')
  return end >= 0 && !/(?:^| HTTP\/1\.\d)\r?$/.test(bytes.toString('latin1', 0, end))
}

/** Whether the preface and some bytes are equal up to the length of the shorter of the two. */
const startsAlike = (bytes: Buffer): boolean => {
  const length = Math.min(bytes.length, preface.length)
  return bytes.compare(preface, 0, length, 0, length) === 0
}
