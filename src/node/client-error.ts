/**
 * What becomes of a connection when Node's parser gives up on it. The answers that are still owed are sent first: a request
 * that was whole is not lost because of what follows it. Only when the content of the request in flight is itself broken
 * is that request refused, since it would wait for the rest of it for ever.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Failure } from '../http/failure.ts'
import { answerRaw } from './raw-answer.ts'

/** A request and its response, as long as the response is not sent. */
export interface InFlight {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly refuse: (failure: Failure) => void
}

/** What is in flight on each connection, oldest first. */
export interface Flights {
  readonly add: (flight: InFlight) => void
  readonly on: (socket: Duplex) => ReadonlyArray<InFlight>
}

/** Keeps account of what is in flight. A response that was sent or cut off is forgotten. */
export const flights = (): Flights => {
  const bySocket = new WeakMap<Duplex, Set<InFlight>>()
  return {
    add: (flight) => {
      const { socket } = flight.request
      const known = bySocket.get(socket) ?? new Set()
      bySocket.set(socket, known.add(flight))
      flight.response.once('close', () => known.delete(flight))
    },
    on: (socket) => [...(bySocket.get(socket) ?? [])],
  }
}

/** What Node says of octets that its parser refused. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

/** The handler of `clientError`. */
export const onClientError =
  ({ on }: Flights) =>
  (error: ParserError, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const failure = failureOf(error)
    const last = on(socket).at(-1)
    if (last === undefined) answerRaw(socket, failure)
    else if (last.request.complete) last.response.once('close', () => answerRaw(socket, failure))
    else if (last.response.headersSent) socket.destroy()
    else last.refuse(failure)
  }

const failureOf = ({ code, rawPacket }: ParserError): Failure => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      // before the first line has ended, it is the target that is too long
      return rawPacket?.includes('\n') === false
        ? { _tag: 'UriTooLong' }
        : { _tag: 'HeaderFieldsTooLarge' }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { _tag: 'ContentTooLarge', detail: 'The chunk extensions are too large.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { _tag: 'RequestTimeout' }
    case 'HPE_INVALID_VERSION':
      return { _tag: 'VersionNotSupported' }
    default:
      return { _tag: 'MalformedRequest', detail: 'The request is not HTTP.' }
  }
}
