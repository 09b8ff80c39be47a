/**
 * Listeners for the events of sockets. All sockets of a server share them: five functions for each connection would take a third of the
 * memory that an idle connection needs in addition to its socket.
 */
import type { Socket } from 'node:net'
import type { DirectConnection } from './direct-connection.ts'

/** A listener that is called with the socket as `this`. */
type Listener = (this: Socket) => void

/** The listeners of the sockets of a server. */
export interface SocketListeners {
  readonly onEnd: Listener
  readonly onDrain: Listener
  /** For errors and timeouts. */
  readonly onFailure: Listener
  readonly onClose: Listener
}

/** Creates the listeners of a server. `connectionOf` returns the connection of a socket. */
export const createSocketListeners = (
  connectionOf: (socket: Socket) => DirectConnection | undefined,
): SocketListeners => ({
  onEnd() {
    connectionOf(this)?.onEnd()
  },
  onDrain() {
    connectionOf(this)?.onDrain()
  },
  onFailure() {
    this.destroy()
  },
  onClose() {
    connectionOf(this)?.onClose()
  },
})
