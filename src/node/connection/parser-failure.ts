/**
 * What becomes of a connection when Node's parser gives up on it. The answers that are still owed are sent first: a request
 * that was whole is not lost because of what follows it. Only when the content of the request in flight is itself broken
 * is that request refused, since it would wait for the rest of it for ever.
 */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestFailure } from '../../http/failure.ts'
import { lingeringClose } from './lingering-close.ts'
import { writeRawError } from './raw-response.ts'
import type { IncomingRequest } from '../exchange/incoming-request.ts'
import { hasUnknownMethod } from './unknown-method.ts'

/** A request and its response. */
export interface InFlightRequest {
  readonly request: IncomingRequest
  readonly response: ServerResponse
  readonly reject: (failure: RequestFailure) => void
  /** Told when nothing more of the content can come, and an answer is on its way. */
  readonly bodyFailed: (failure: RequestFailure) => void
  /** The client has half-closed the connection; `isLast` tells that no request follows. */
  readonly halfClosed: (isLast: boolean) => void
  /** Gives up a response that has not begun in time after a half-close. */
  readonly expire: () => void
  /** Called when the connection of the latest request is closed. */
  readonly disconnected: () => void
  /** Called when another request follows on the connection before the response is sent. */
  readonly followed: () => void
}

/** The requests of each connection. Responses keep the order of their requests. */
export interface InFlightRequests {
  /** Adds a request. Returns false if the connection accepts no further requests. */
  readonly add: (flight: InFlightRequest) => boolean
  /** Returns the latest request of a connection: the last to be answered. */
  readonly latest: (socket: Duplex) => InFlightRequest | undefined
  /** Returns the requests of a connection whose responses are not finished, in their order. */
  readonly pending: (socket: Duplex) => ReadonlyArray<InFlightRequest>
  /** Accepts no further requests on a connection, because its last response is decided (RFC 9112, 9.6). */
  readonly close: (socket: Duplex) => void
}

/** The requests of one connection. */
class Line {
  latest: InFlightRequest
  isClosed = false
  /** Pipelined requests before the latest, some of which may be answered by now. */
  #earlier: InFlightRequest[] | undefined = undefined
  #most = fewest

  constructor(first: InFlightRequest) {
    this.latest = first
  }

  get pending(): ReadonlyArray<InFlightRequest> {
    return [...(this.#earlier ?? []), this.latest].filter(isPending)
  }

  /** Adds a request. Node assigns the socket to its response when the responses before it are sent. */
  add(flight: InFlightRequest): void {
    // the response before it is not looked at: reading an object of an earlier request costs 2 % of a request
    const isFirst = flight.response.socket !== null
    if (isFirst) {
      this.#earlier = undefined
    } else if ((this.#earlier ??= []).push(this.latest) >= this.#most) {
      // a client that always pipelines must not keep all its requests in memory
      this.#earlier = this.#earlier.filter(isPending)
      this.#most = Math.max(fewest, this.#earlier.length * 2)
    }
    this.latest = flight
  }
}

const fewest = 16

const isPending = ({ response }: InFlightRequest): boolean => !response.closed

/** Keeps account of the requests in flight. */
export const trackRequests = (): InFlightRequests => {
  const lines = new WeakMap<Duplex, Line>()
  return {
    add: (flight) => {
      const { socket } = flight.request
      const line = lines.get(socket)
      if (line === undefined) lines.set(socket, new Line(flight))
      else if (line.isClosed) return false
      else line.add(flight)
      return true
    },
    latest: (socket) => lines.get(socket)?.latest,
    pending: (socket) => lines.get(socket)?.pending ?? [],
    close: (socket) => {
      const line = lines.get(socket)
      if (line !== undefined) line.isClosed = true
    },
  }
}

/** Does something once every request before it has been answered. */
export const afterResponses = (flight: InFlightRequest | undefined, then: () => void): void => {
  if (flight === undefined || flight.response.closed) then()
  else flight.response.once('close', then)
}

/** What Node says of octets that its parser refused. */
type ParserError = NodeJS.ErrnoException & {
  readonly reason?: string
  /** How many octets of the packet were read until then. */
  readonly bytesParsed?: number
  readonly rawPacket?: Buffer
}

/** What Node says of a request that does not arrive in time. */
export const slowBodyError = (): ParserError =>
  Object.assign(new Error('the content of a request comes too slowly'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  })

/** The handler of `clientError`. */
export const createClientErrorHandler = ({
  latest,
  close,
}: InFlightRequests): ((error: ParserError, socket: Duplex) => void) => {
  const lost = new WeakSet<Duplex>()
  return (error, socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    // whatever follows an error is an error to the parser, which so reads and drops it
    if (lost.has(socket) || !socket.writable) return
    lost.add(socket)
    close(socket)
    const failure = failureOf(error)
    const last = latest(socket)
    if (last === undefined || last.request.complete)
      afterResponses(last, () => writeRawError(socket, failure))
    else if (last.response.headersSent) {
      afterResponses(last, () => lingeringClose(socket))
      last.bodyFailed(failure)
    } else last.reject(failure)
  }
}

const failureOf = (error: ParserError): RequestFailure => {
  const { code, reason, bytesParsed = 0, rawPacket } = error
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      // before the first line has ended, it is the target that is too long
      const lineEnd = rawPacket?.indexOf('\n') ?? 0
      return lineEnd < 0 || lineEnd >= bytesParsed
        ? { _tag: 'UriTooLong' }
        : { _tag: 'HeaderFieldsTooLarge' }
    }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { _tag: 'ContentTooLarge', detail: 'The chunk extensions are too large.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { _tag: 'RequestTimeout' }
    case 'HPE_INVALID_VERSION':
      // the same code stands for what is no version, and for a line that goes on behind it
      return reason === 'Invalid HTTP version' ? { _tag: 'VersionNotSupported' } : notHttp
    default:
      return hasUnknownMethod(error) ? { _tag: 'MethodNotImplemented' } : notHttp
  }
}

const notHttp: RequestFailure = { _tag: 'MalformedRequest', detail: 'The request is not HTTP.' }
