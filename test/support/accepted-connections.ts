/** Records the connections that servers of this process accept, so that tests can wait for events instead of time. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

export interface Accepted {
  /** Those that were accepted since, in their order. */
  readonly sockets: ReadonlyArray<Socket>
  /** Octets that have arrived on all of them. */
  readonly octets: () => number
  readonly stop: () => void
}

const channel = 'net.server.socket'

/** Listens to what is accepted from now on. */
export const accepted = (): Accepted => {
  const sockets: Socket[] = []
  const heard = (message: unknown): void => {
    sockets.push((message as { readonly socket: Socket }).socket)
  }
  subscribe(channel, heard)
  return {
    sockets,
    octets: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    stop: () => void unsubscribe(channel, heard),
  }
}
