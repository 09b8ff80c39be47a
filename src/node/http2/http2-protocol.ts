/**
 * Serves connections with HTTP/2, using the framing of `node:http2`. Imported only if HTTP/2 is on.
 *
 * The server uses the streams of `node:http2` rather than its compatibility API, which has the classes of HTTP/1.1.
 */
import type { Socket } from 'node:net'
import type { Logger } from '../../compiler/settings/logger.ts'
import { createRateCheck } from '../connection/slow-connections.ts'
import type { Protocol } from '../connection/connections.ts'
import type { Receive } from '../exchange/received-exchange.ts'
import type { ServerCore } from '../server-core.ts'
import { floodLimits } from './connection-limits.ts'
import type { Http2Server } from './http2-connection.ts'
import { Http2Connection, sessionOptions } from './http2-connection.ts'

/** Time, in milliseconds, between two checks of the timeouts. */
const checkInterval = 1000

/** Creates the HTTP/2 protocol of a server. `receive` processes the requests. */
export const createHttp2Protocol = (
  { settings, context, headLimits }: ServerCore,
  receive: Receive,
  logger: Logger,
): Protocol => {
  const minRate = settings['fw.http.limits.min-body-rate']
  const server: Http2Server = {
    settings,
    context,
    headLimits,
    receive,
    floodLimits: floodLimits(settings),
    sessionOptions: sessionOptions(settings),
    logger,
    isSlow: minRate === 0 ? undefined : createRateCheck(minRate),
  }
  const open = new Map<Socket, Http2Connection>()
  return {
    accept: (socket) => {
      // a client may have disconnected during the handshake
      if (socket.destroyed) return
      open.set(socket, new Http2Connection(socket, server))
      socket.once('close', () => open.delete(socket))
    },
    isBetweenRequests: (socket) => open.get(socket)?.isBetweenRequests ?? false,
    check: {
      interval: checkInterval,
      check: (socket, now) => open.get(socket)?.check(now),
    },
    announceClose: () => {
      for (const connection of open.values()) connection.announceClose()
    },
    closeIdleConnections: () => {
      for (const connection of open.values()) connection.closeIfIdle()
    },
    end: () => undefined,
  }
}
