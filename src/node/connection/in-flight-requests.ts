/**
 * Tracks the requests in flight on each connection.
 *
 * Several requests can be in flight on one connection, because clients can pipeline requests. The responses are sent in the order
 * of the requests (RFC 9112, 9.3.2).
 */
import type { Duplex } from 'node:stream'
import type { RequestFailure } from '../../http/failure.ts'

/** A request in flight, with its response and its handlers for connection events. */
export interface InFlightRequest {
  /** Whether the whole request has been received. */
  readonly isReceived: boolean
  /** Whether the server is waiting for bytes of the request body that the client has not sent yet. */
  readonly isAwaitingBody: boolean
  /** Whether the head of the response has been sent. */
  readonly hasResponded: boolean
  /** Whether the response has been sent completely, or can no longer be sent. */
  readonly isEnded: boolean
  /** Whether the request has been received and the response has been sent, and neither holds memory or is observed. */
  readonly isSettled: boolean
  /** Calls `callback` when the response ends, which must not have happened yet. */
  readonly onceEnded: (callback: () => void) => void
  /** Rejects the request because its framing is invalid, and closes the connection. */
  readonly reject: (failure: RequestFailure) => void
  /** Called if receiving the rest of the request body fails and the response has already started. */
  readonly onBodyFailed: (failure: RequestFailure) => void
  /** Called when the client half-closes the connection. `isLast` is `true` if this is the latest request on the connection. */
  readonly onHalfClose: (isLast: boolean) => void
  /**
   * Called when the half-close timeout has expired. Destroys the response unless the response has ended or a file is being sent.
   */
  readonly expire: () => void
  /** Called when the connection closes, but only for the most recent request on the connection. */
  readonly onDisconnect: () => void
  /** Called when another request arrives on the connection before the response to this request has been sent. */
  readonly onNextRequest: () => void
}

/**
 * Length at which the list of earlier requests on a connection is pruned for the first time. Pruning removes the requests whose
 * responses have closed.
 */
const minPruneLength = 16

/** Replaces a request that is settled. An idle connection then takes 2 KB less memory, which the garbage collector need not copy. */
const settledRequest: InFlightRequest = {
  isReceived: true,
  isAwaitingBody: false,
  hasResponded: true,
  isEnded: true,
  isSettled: true,
  onceEnded: (callback) => callback(),
  reject: () => undefined,
  onBodyFailed: () => undefined,
  onHalfClose: () => undefined,
  expire: () => undefined,
  onDisconnect: () => undefined,
  onNextRequest: () => undefined,
}

/** Tracks the requests on one connection. */
class ConnectionRequests {
  latest: InFlightRequest
  isClosed = false
  /** Pipelined requests that precede the most recent request. Some of their responses might already be closed. */
  #earlier: InFlightRequest[] | undefined = undefined
  #pruneLength = minPruneLength

  constructor(first: InFlightRequest) {
    this.latest = first
  }

  get pending(): ReadonlyArray<InFlightRequest> {
    return [...(this.#earlier ?? []), this.latest].filter(isPending)
  }

  /** Adds a request. If it is the first in flight, the list of earlier requests is cleared. */
  add(flight: InFlightRequest, isFirst: boolean): void {
    if (isFirst) {
      this.#earlier = undefined
    } else if ((this.#earlier ??= []).push(this.latest) >= this.#pruneLength) {
      // removes requests with closed responses, so that they do not accumulate if a client pipelines continuously
      this.#earlier = this.#earlier.filter(isPending)
      this.#pruneLength = Math.max(minPruneLength, this.#earlier.length * 2)
    }
    this.latest = flight
  }
}

const isPending = ({ isEnded }: InFlightRequest): boolean => !isEnded

/** Tracks the requests on each connection. */
export type InFlightRequests = ReturnType<typeof trackRequests>

/** Creates an empty registry for the requests on all connections. */
export const trackRequests = () => {
  const connections = new WeakMap<Duplex, ConnectionRequests>()
  return {
    /**
     * Adds a request. `isFirst` is `true` if the responses to all earlier requests on the connection have ended. Returns `false` if
     * the connection does not accept further requests.
     */
    add: (socket: Duplex, flight: InFlightRequest, isFirst: boolean): boolean => {
      const requests = connections.get(socket)
      if (requests === undefined) connections.set(socket, new ConnectionRequests(flight))
      else if (requests.isClosed) return false
      else requests.add(flight, isFirst)
      return true
    },
    /** Returns the most recent request on a connection, or `undefined` if the connection has not received a request. */
    latest: (socket: Duplex): InFlightRequest | undefined => connections.get(socket)?.latest,
    /** Returns the requests on a connection that still have an open response, in the order in which they were received. */
    pending: (socket: Duplex): ReadonlyArray<InFlightRequest> =>
      connections.get(socket)?.pending ?? [],
    /** Releases the most recent request on a connection if it is settled, instead of keeping it until the next request arrives. */
    settle: (socket: Duplex): void => {
      const requests = connections.get(socket)
      if (requests?.latest.isSettled === true) requests.latest = settledRequest
    },
    /**
     * Makes `add` reject further requests on a connection. Called as soon as it is known which response is the last on the connection
     * (RFC 9112, 9.6).
     */
    close: (socket: Duplex): void => {
      const requests = connections.get(socket)
      if (requests !== undefined) requests.isClosed = true
    },
  }
}

/**
 * Calls `callback` when the response to `latest`, and therefore every earlier response on the connection, has closed. Calls
 * `callback` immediately if no response is open.
 */
export const afterResponses = (latest: InFlightRequest | undefined, callback: () => void): void => {
  if (latest === undefined || latest.isEnded) callback()
  else latest.onceEnded(callback)
}
