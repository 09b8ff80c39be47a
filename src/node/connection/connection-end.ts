/**
 * Handles the end of connections: half-closes by the client, and the close after the last response.
 *
 * The client of a half-closed connection, for example `nc -N`, has sent a FIN after its last request but is still reading the response.
 * A FIN can also mean that the client has disconnected. Therefore, a FIN immediately aborts signals, and a streamed response ends as
 * soon as it waits for its source. Other responses are sent if they start within `fw.http.half-close-timeout`.
 *
 * After the last response, connections close after a delay (lingering close). The server sends a FIN, and then reads and discards
 * further bytes from the client, up to a limit. Closing a connection that has unread request bytes would reset the connection, and
 * the client might lose the response (RFC 9112, 9.6).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isObject } from '../../http/platform-value.ts'
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
