/**
 * Runs callbacks when responses close, and closes connections after a delay (lingering close).
 *
 * In a lingering close, the server sends a FIN after the last response. It then reads and discards further bytes from the client,
 * up to a limit. Closing a connection that has unread request bytes would reset the connection, and the client might lose the
 * response (RFC 9112, 9.6).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isObject } from '../../http/platform-value.ts'

/** The functions to call when a connection closes. Each connection has a single `close` listener, which calls all its functions. */
const callbacks = new WeakMap<Socket, Set<() => void>>()

/** Calls `callback` when a response or its connection closes, or immediately if either is already closed. */
export const onResponseClose = (
  { socket }: IncomingMessage,
  response: ServerResponse,
  callback: () => void,
): void => {
  if (response.closed || socket.closed) callback()
  else if (response.socket !== null) response.once('close', callback)
  else {
    const socketCallbacks = callbacksOf(socket)
    const callOnce = (): void => {
      response.off('close', callOnce)
      socketCallbacks.delete(callOnce)
      callback()
    }
    response.once('close', callOnce)
    socketCallbacks.add(callOnce)
  }
}

const callbacksOf = (socket: Socket): Set<() => void> => {
  const existing = callbacks.get(socket)
  if (existing !== undefined) return existing
  const created = new Set<() => void>()
  callbacks.set(socket, created)
  socket.once('close', () => {
    for (const callback of created) callback()
  })
  return created
}

/** Maximum time, in milliseconds, for which the client can keep its side of the connection open after the server has sent a FIN. */
const maxTime = 2000

/** Maximum number of bytes that the client can send after the server has sent a FIN. */
const maxBytes = 16 * 1024 * 1024

/** Time, in milliseconds, between two checks of `maxTime` and `maxBytes`. */
const checkInterval = 100

/**
 * Replaces the immediate close after the last response on a connection with a lingering close.
 *
 * Overrides `destroySoon`. `node:http` calls this method once the last response has been written. The parser continues to read the
 * request body, and the body is discarded.
 */
export const lingerAfterResponse = (request: IncomingMessage): void => {
  const { socket } = request
  socket.destroySoon = () => {
    lingeringClose(socket)
    request.resume()
  }
}

/**
 * Writes `data` and half-closes the socket. Destroys the socket if the client does not close its side within 2 s or sends more than
 * 16 MiB.
 */
export const lingeringClose = (socket: Duplex, data = ''): void => {
  if (!socket.writable) return
  socket.end(data)
  const startTime = performance.now()
  const bytesBefore = bytesRead(socket)
  const timer = setInterval(() => {
    const isExceeded =
      performance.now() - startTime >= maxTime || bytesRead(socket) - bytesBefore > maxBytes
    if (isExceeded) socket.destroy()
  }, checkInterval)
  socket.once('close', () => clearInterval(timer))
}

const bytesRead = (socket: Duplex & Partial<Pick<Socket, 'bytesRead'>>): number =>
  socket.bytesRead ?? 0

/**
 * Returns the socket that a TLS socket encrypts, or the socket itself if it is not encrypted. Node.js stores it in an undocumented
 * property.
 */
export const transportOf = (socket: Socket): Socket => {
  const parent: unknown = Reflect.get(socket, '_parent')
  return isSocket(parent) ? parent : socket
}

const isSocket = (value: unknown): value is Socket => isObject(value) && 'resetAndDestroy' in value

/** Resets a connection. A Unix domain socket, which cannot be reset, is destroyed. */
export const resetConnection = (socket: Socket): void => {
  const transport = transportOf(socket)
  // only TCP sockets have an address
  if (transport.remoteAddress === undefined) transport.destroy()
  else transport.resetAndDestroy()
}
