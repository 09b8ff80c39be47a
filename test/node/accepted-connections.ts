/** Records the connections that the servers of this process accept, so that tests can wait for events instead of a fixed time. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

export interface AcceptedConnections {
  /** The accepted connections, in order. */
  readonly sockets: ReadonlyArray<Socket>
  /** Returns the number of bytes received on all of them. */
  readonly receivedBytes: () => number
  readonly stop: () => void
}

const channel = 'net.server.socket'

/** Starts recording. */
export const recordConnections = (): AcceptedConnections => {
  const sockets: Socket[] = []
  const onConnection = (message: unknown): void => {
    sockets.push((message as { readonly socket: Socket }).socket)
  }
  subscribe(channel, onConnection)
  return {
    sockets,
    receivedBytes: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    stop: () => void unsubscribe(channel, onConnection),
  }
}
