/** Listeners for the events of sockets. All sockets of a server share them, so that an idle connection takes less memory. */
import type { Socket } from 'node:net'

/** The events that a connection handles. */
export interface SocketHandler {
  /** Called when the client has ended its side. */
  onEnd(): void
  /** Called when the socket has room for more bytes. */
  onDrain(): void
  /** Called when the connection has closed. */
  onClose(): void
}

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

/** Creates the listeners of a server. `handlerOf` returns the connection of a socket. */
export const createSocketListeners = (
  handlerOf: (socket: Socket) => SocketHandler | undefined,
): SocketListeners => ({
  onEnd() {
    handlerOf(this)?.onEnd()
  },
  onDrain() {
    handlerOf(this)?.onDrain()
  },
  onFailure() {
    this.destroy()
  },
  onClose() {
    handlerOf(this)?.onClose()
  },
})
