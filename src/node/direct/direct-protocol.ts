/**
 * Serves connections with HTTP/1.1 without `node:http`. Imported only if it is configured.
 *
 * Compared to `node:http`, a request has no `IncomingMessage` and no `ServerResponse`, and nothing is published to
 * `node:diagnostics_channel`. Every method that is a token is accepted.
 */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createFailureHandler } from '../connection/parser-failure.ts'
import { monitorBodyRate } from '../connection/slow-connections.ts'
import type { ConnectionCheck, Protocol } from '../connection/connections.ts'
import type { Receive } from '../exchange/received-exchange.ts'
import type { ServerCore } from '../server-core.ts'
import type { DirectServer } from './direct-connection.ts'
import { DirectConnection } from './direct-connection.ts'
import { createHeadFormatter } from './response-head.ts'
import { createSharedReadBuffer } from '../internals.ts'

/** Maximum time, in milliseconds, between two checks of the timeouts of requests. */
const maxCheckInterval = 1000

/** Creates the HTTP/1.1 protocol of a server. `receive` processes the requests. */
export const createDirectProtocol = (
  { settings, context, headLimits }: ServerCore,
  receive: Receive,
): Protocol => {
  const connections = new Map<Duplex, DirectConnection>()
  const latest = (socket: Duplex): DirectConnection['latest'] => connections.get(socket)?.latest
  const close = (socket: Duplex): void => connections.get(socket)?.close()
  const fail = createFailureHandler({ latest, close }, context.rejectionHeaders)
  const request = settings['fw.http.read-timeout']
  const head = settings['fw.http.header-timeout']
  const server: DirectServer = {
    context: { ...context, close },
    limits: headLimits,
    receive,
    readShared: createSharedReadBuffer(),
    unusedHead: undefined,
    listeners: {
      end() {
        connections.get(this)?.onEnd()
      },
      drain() {
        connections.get(this)?.onDrain()
      },
      timeout: destroy,
      error: destroy,
      close() {
        connections.get(this)?.onClose()
      },
    },
    onClose: (socket) => void connections.delete(socket),
    formatHead: createHeadFormatter(context.keepAliveHeaders),
    fail,
    timeouts: {
      // the head is part of the request
      head: request === 0 || (head !== 0 && head < request) ? head : request,
      request,
      halfClose: settings['fw.http.half-close-timeout'],
    },
  }
  const rate = monitorBodyRate(settings['fw.http.limits.min-body-rate'], latest, (socket) =>
    connections.get(socket)?.fail({ _tag: 'RequestTimeout' }),
  )
  const check: ConnectionCheck = {
    interval: Math.min(rate?.interval ?? maxCheckInterval, maxCheckInterval),
    check: (socket, now, bytesBefore) => {
      connections.get(socket)?.checkTimeouts(now)
      rate?.check(socket, now, bytesBefore)
    },
  }
  return {
    accept: (socket) => void connections.set(socket, new DirectConnection(socket, server)),
    isBetweenRequests: (socket) => connections.get(socket)?.isBetweenRequests ?? false,
    check,
    // responses have `Connection: close` from now on
    announceClose: () => undefined,
    closeIdleConnections: () => {
      for (const connection of connections.values())
        if (connection.isIdle) connection.socket.destroy()
    },
    end: () => undefined,
  }
}

function destroy(this: Socket): void {
  this.destroy()
}
