/**
 * Handles half-closed connections. On such a connection, the client, for example `nc -N`, has sent a FIN after its last request but
 * is still reading the response.
 *
 * A FIN can also mean that the client has disconnected. Therefore, a FIN immediately aborts signals, and a streamed response ends as
 * soon as it waits for its source. Other responses are sent if they start within `fw.http.half-close-timeout`.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TurnBudget } from '../../interpreter/event-loop.ts'
import type { InFlightRequest } from './in-flight-requests.ts'

/** A request and its response, as seen by {@link HalfCloseState}. */
export interface HalfCloseTarget {
  readonly socket: Socket
  /** Whether the response can no longer be sent. */
  readonly isDestroyed: boolean
  /** Whether the whole response has been sent. */
  readonly isFinished: boolean
  /** Whether the client has half-closed the connection after the requests that the server has read. */
  readonly isHalfClosed: boolean
  readonly platform: { readonly turnBudget: TurnBudget }
  /** Calls `callback` when the response or its connection closes, or immediately if either is already closed. */
  onEnd(callback: () => void): void
  /** Ends the connection after what has been sent so far and after the responses to earlier pipelined requests. */
  endEarly(): void
}

/** Aborts the signal of one exchange, and notifies its response streams, when the client half-closes the connection. */
export class HalfCloseState {
  readonly #exchange: HalfCloseTarget
  #controller: AbortController | undefined = undefined
  /** Callbacks that close the sources of response streams. */
  readonly #streamEnds: Array<() => void> = []
  #onHalfClose: ((endsAtOnce: boolean) => void) | undefined = undefined
  /** Whether the body of the response is a file, which is being sent in chunks. */
  isSendingFile = false

  constructor(exchange: HalfCloseTarget) {
    this.#exchange = exchange
  }

  /** A signal that aborts if the client disconnects or half-closes the connection before the response is written. */
  get signal(): AbortSignal {
    return (this.#controller ??= controllerOf(this.#exchange)).signal
  }

  /**
   * Calls `callback` when the client half-closes the connection or the response closes. If the client has already half-closed the
   * connection, calls `callback` immediately.
   */
  onStreamEnd(callback: () => void): void {
    if (this.#exchange.isHalfClosed) return callback()
    this.#streamEnds.push(callback)
    this.#exchange.onEnd(callback)
  }

  /** Whether a source of a response stream was opened on this thread before the half-close, and has not been closed by it. */
  get hasSource(): boolean {
    return this.#streamEnds.length > 0
  }

  /**
   * Calls `callback` when the client half-closes the connection, instead of the callbacks that close sources. The source of a stream
   * without such a callback runs on a worker, which closes it. The body must then end at once, because it would appear to be complete.
   */
  onSending(callback: (endsAtOnce: boolean) => void): void {
    this.#onHalfClose = callback
    if (this.#exchange.isHalfClosed) this.#onHalfClose(!this.hasSource)
  }

  onHalfClose(): void {
    this.#controller?.abort()
    if (this.#onHalfClose !== undefined) this.#onHalfClose(!this.hasSource)
    else if (this.hasSource)
      afterSources(this.#exchange.platform.turnBudget, () => {
        if (this.#onHalfClose === undefined) for (const end of this.#streamEnds.splice(0)) end()
      })
  }
}

/** Calls `callback` when the sources with available elements have delivered one. They may wait for the budget twice. */
export const afterSources = (budget: TurnBudget, callback: () => void): void =>
  budget.defer(() => budget.defer(callback))

const controllerOf = (exchange: HalfCloseTarget): AbortController => {
  const controller = new AbortController()
  const { socket } = exchange
  if (exchange.isDestroyed || socket.destroyed || exchange.isHalfClosed) controller.abort()
  exchange.onEnd(() => {
    if (!exchange.isFinished) controller.abort()
  })
  return controller
}

/**
 * Keeps half-closed connections open for up to `timeout` milliseconds while responses are pending. If `timeout` is `0`, half-closed
 * connections are closed immediately.
 *
 * Sets `httpAllowHalfOpen`, an undocumented property of `http.Server`. Without this property, Node.js ends its side of the
 * connection when it receives a FIN.
 */
export const allowHalfClose = (
  server: Server,
  timeout: number,
  pending: (socket: Socket) => ReadonlyArray<InFlightRequest>,
): void => {
  if (timeout === 0) return
  Reflect.set(server, 'httpAllowHalfOpen', true)
  const onEnd = halfCloseListener(timeout, pending)
  server.on('connection', (socket: Socket) => socket.on('end', onEnd))
}

/**
 * Creates a listener for the event `end` of sockets. It notifies the pending requests of the socket, and ends them after `timeout`
 * milliseconds.
 */
export const halfCloseListener = (
  timeout: number,
  pending: (socket: Socket) => ReadonlyArray<InFlightRequest>,
): ((this: Socket) => void) =>
  function onEnd(this: Socket): void {
    notifyHalfClose(this, pending(this), timeout)
  }

/** Notifies the pending requests of a half-close, and makes their responses expire after `timeout` milliseconds. */
export const notifyHalfClose = (
  socket: Socket,
  requests: ReadonlyArray<InFlightRequest>,
  timeout: number,
): void => {
  if (requests.length === 0) return
  requests.forEach((request, index) => request.onHalfClose(index === requests.length - 1))
  expireAfter(socket, requests, timeout)
}

/** Makes the responses to requests expire after `timeout` milliseconds. */
export const expireAfter = (
  socket: Socket,
  requests: ReadonlyArray<InFlightRequest>,
  timeout: number,
): void => {
  const timer = setTimeout(() => {
    for (const request of requests) request.expire()
  }, timeout)
  socket.once('close', () => clearTimeout(timer))
}
