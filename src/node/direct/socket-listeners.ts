/**
 * Listeners for the events of sockets. All sockets of a server share them: five functions for each connection would take a third of the
 * memory that an idle connection needs in addition to its socket.
 */
import type { Socket } from 'node:net'

/** A listener that is called with the socket as `this`. */
type Listener = (this: Socket) => void

/** A connection that handles the events of its socket. */
export interface SocketEvents {
  readonly onEnd: () => void
  readonly onDrain: () => void
  readonly onClose: () => void
}

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
  connectionOf: (socket: Socket) => SocketEvents | undefined,
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
