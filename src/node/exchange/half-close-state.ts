/**
 * How an exchange reacts when the client half-closes the connection: signals abort and streams end, other responses are sent.
 *
 * An exchange creates this state on first use, because most requests need none.
 */
import type { ServerResponse } from 'node:http'
import type { IncomingRequest } from './incoming-request.ts'
import { onResponseClose } from './on-response-close.ts'

export class HalfCloseState {
  readonly #request: IncomingRequest
  readonly #response: ServerResponse
  #controller: AbortController | undefined = undefined
  /** Callbacks that close the sources of streams. */
  readonly #streamEnds: Array<() => void> = []
  /** The kind of body that is being sent in chunks. */
  sending: 'stream' | 'file' | undefined = undefined

  constructor(request: IncomingRequest, response: ServerResponse) {
    this.#request = request
    this.#response = response
  }

  /** Aborts when the client disconnects or half-closes the connection before the response is written. */
  get signal(): AbortSignal {
    return (this.#controller ??= controllerOf(this.#request, this.#response)).signal
  }

  /** Calls `callback` when a stream must end: on half-close or when the response closes. At once if the client has half-closed. */
  onStreamEnd(callback: () => void): void {
    if (this.#request.socket.readableEnded) return callback()
    this.#streamEnds.push(callback)
    onResponseClose(this.#request, this.#response, callback)
  }

  halfClosed(): void {
    const { socket } = this.#request
    this.#controller?.abort()
    for (const end of this.#streamEnds) end()
    if (this.sending !== 'stream') return
    // a response without a socket waits for pipelined responses before it, which are still sent
    if (this.#response.socket === null) this.#response.destroy()
    else socket.end()
  }
}

const controllerOf = (request: IncomingRequest, response: ServerResponse): AbortController => {
  const controller = new AbortController()
  if (response.destroyed || request.socket.destroyed || request.socket.readableEnded)
    controller.abort()
  onResponseClose(request, response, () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller
}
