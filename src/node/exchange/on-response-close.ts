/**
 * When a response is over: handed to the connection, or never to be. A response says so itself while its turn is on; one that
 * waits behind another (pipelining) hears nothing of a connection that closes meanwhile, so the connection is asked for it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

type Socket = IncomingMessage['socket']

/** What waits for connections to close, with one listener for each of them. */
const waiting = new WeakMap<Socket, Set<() => void>>()

/** Has something done when a response is over, at once when it is. */
export const onResponseClose = (
  { socket }: IncomingMessage,
  response: ServerResponse,
  then: () => void,
): void => {
  if (response.closed || socket.closed) then()
  else if (response.socket !== null) response.once('close', then)
  else {
    const others = waitingFor(socket)
    const end = (): void => {
      response.off('close', end)
      others.delete(end)
      then()
    }
    response.once('close', end)
    others.add(end)
  }
}

const waitingFor = (socket: Socket): Set<() => void> => {
  const known = waiting.get(socket)
  if (known !== undefined) return known
  const made = new Set<() => void>()
  waiting.set(socket, made)
  socket.once('close', () => {
    for (const end of made) end()
  })
  return made
}
