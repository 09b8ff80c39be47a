/** The requests in flight on each connection. Pipelined responses keep the order of their requests (RFC 9112, 9.3.2). */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestFailure } from '../../http/failure.ts'
import type { IncomingRequest } from '../exchange/incoming-request.ts'

/** A request and its response, with the events of the connection that concern them. */
export interface InFlightRequest {
  readonly request: IncomingRequest
  readonly response: ServerResponse
  /** Rejects the request because its framing cannot be trusted, and closes the connection. */
  readonly reject: (failure: RequestFailure) => void
  /** Called when the rest of the body cannot be received, and the response has begun. */
  readonly bodyFailed: (failure: RequestFailure) => void
  /** Called when the client half-closes the connection. `isLast` is true for the latest request. */
  readonly halfClosed: (isLast: boolean) => void
  /** Destroys the response if it has not begun in time after a half-close. */
  readonly expire: () => void
  /** Called when the connection of the latest request closes. */
  readonly disconnected: () => void
  /** Called when another request follows on the connection before the response is sent. */
  readonly followed: () => void
}

/** The requests of each connection. */
export interface InFlightRequests {
  /** Adds a request. Returns false if the connection accepts no further requests. */
  readonly add: (flight: InFlightRequest) => boolean
  /** Returns the latest request of a connection, whose response is the last one. */
  readonly latest: (socket: Duplex) => InFlightRequest | undefined
  /** Returns the requests of a connection whose responses are not finished, in their order. */
  readonly pending: (socket: Duplex) => ReadonlyArray<InFlightRequest>
  /** Accepts no further requests on a connection, because its last response is known (RFC 9112, 9.6). */
  readonly close: (socket: Duplex) => void
}

/** Number of pipelined requests above which finished ones are dropped from the list. */
const minPruneLength = 16

/** The requests of one connection. */
class ConnectionRequests {
  latest: InFlightRequest
  isClosed = false
  /** Pipelined requests before the latest. Some of them may be finished. */
  #earlier: InFlightRequest[] | undefined = undefined
  #pruneLength = minPruneLength

  constructor(first: InFlightRequest) {
    this.latest = first
  }

  get pending(): ReadonlyArray<InFlightRequest> {
    return [...(this.#earlier ?? []), this.latest].filter(isPending)
  }

  /** Adds a request. Node.js assigns the socket to its response once the responses before it are sent. */
  add(flight: InFlightRequest): void {
    // reading a property of the previous response instead would cost 2 % of a request
    const isFirst = flight.response.socket !== null
    if (isFirst) {
      this.#earlier = undefined
    } else if ((this.#earlier ??= []).push(this.latest) >= this.#pruneLength) {
      // a client that always pipelines must not keep all its requests in memory
      this.#earlier = this.#earlier.filter(isPending)
      this.#pruneLength = Math.max(minPruneLength, this.#earlier.length * 2)
    }
    this.latest = flight
  }
}

const isPending = ({ response }: InFlightRequest): boolean => !response.closed

/** Creates an empty registry of the requests of all connections. */
export const trackRequests = (): InFlightRequests => {
  const connections = new WeakMap<Duplex, ConnectionRequests>()
  return {
    add: (flight) => {
      const { socket } = flight.request
      const requests = connections.get(socket)
      if (requests === undefined) connections.set(socket, new ConnectionRequests(flight))
      else if (requests.isClosed) return false
      else requests.add(flight)
      return true
    },
    latest: (socket) => connections.get(socket)?.latest,
    pending: (socket) => connections.get(socket)?.pending ?? [],
    close: (socket) => {
      const requests = connections.get(socket)
      if (requests !== undefined) requests.isClosed = true
    },
  }
}

/** Calls `callback` once the responses to this request and all requests before it are sent. */
export const afterResponses = (latest: InFlightRequest | undefined, callback: () => void): void => {
  if (latest === undefined || latest.response.closed) callback()
  else latest.response.once('close', callback)
}
