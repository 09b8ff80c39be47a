/** The body memory that one exchange over `node:http` reserves, and when it is released. */
import type { ServerResponse } from 'node:http'
import { MemoryReservation } from '../../interpreter/request-body/memory-reservation.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { onResponseClose } from './on-response-close.ts'

/** Milliseconds for which a body stays reserved while a handler still works on it after the client has disconnected. */
const abandonedTimeout = 10_000

export class RequestMemory extends MemoryReservation {
  #abandonedTimer: NodeJS.Timeout | undefined = undefined

  /**
   * Releases the memory after the connection has closed before the response. If the body is complete, a handler may still use
   * it: it is released after 10 s at the latest, so that a handler that never ends does not hold it forever.
   */
  disconnected(request: IncomingRequest, response: ServerResponse): void {
    if (this.held === 0 || this.#abandonedTimer !== undefined) return
    if (response.headersSent || !request.complete) {
      request.dropBody()
      return this.release()
    }
    this.#abandonedTimer = setTimeout(() => this.release(), abandonedTimeout).unref()
  }

  /** Releases the request body before a response is sent. While chunks are sent, the rest is released when the response closes. */
  responding(request: IncomingRequest, response: ServerResponse, inChunks: boolean): void {
    clearTimeout(this.#abandonedTimer)
    request.dropBody()
    if (!inChunks) return this.release()
    this.endRequest()
    onResponseClose(request, response, () => this.release())
  }
}
