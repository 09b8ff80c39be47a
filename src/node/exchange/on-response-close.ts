/**
 * Calls functions when a response closes: it was written to the connection, or the connection is closed.
 *
 * A response that waits for pipelined responses before it has no socket, and emits no event when the connection closes. The close
 * of the connection is observed for it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

type Socket = IncomingMessage['socket']

/** Callbacks by connection. Each connection has one listener for all of them. */
const callbacks = new WeakMap<Socket, Set<() => void>>()

/** Calls `callback` when a response closes; at once if it is closed. */
export const onResponseClose = (
  { socket }: IncomingMessage,
  response: ServerResponse,
  callback: () => void,
): void => {
  if (response.closed || socket.closed) callback()
  else if (response.socket !== null) response.once('close', callback)
  else {
    const ofSocket = callbacksOf(socket)
    const callOnce = (): void => {
      response.off('close', callOnce)
      ofSocket.delete(callOnce)
      callback()
    }
    response.once('close', callOnce)
    ofSocket.add(callOnce)
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
