/**
 * Sends error responses for bytes rejected by the Node.js HTTP parser.
 *
 * Responses to earlier, complete requests on the connection are sent first. A request with a malformed body is rejected, because
 * the rest of the body can never be received.
 */
import type { Duplex } from 'node:stream'
import type { RequestFailure } from '../../http/failure.ts'
import type { Headers } from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import type { RejectionHeaders } from '../../compiler/filter-chain.ts'
import { encodeRejection } from '../../interpreter/errors/error-response.ts'
import { lingeringClose } from './connection-end.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as RequestTarget from '../../http/request-target.ts'
import type { InFlightRequests } from './in-flight-requests.ts'
import { afterResponses } from './in-flight-requests.ts'

/**
 * Writes the error response for a failure directly to a socket, and then closes the connection. `received` is the part of the request
 * that has been received.
 */
export const writeRawError = (
  socket: Duplex,
  failure: RequestFailure,
  rejectionHeaders: RejectionHeaders,
  received = '',
): void => {
  if (!socket.writable) return
  const {
    status,
    headers,
    body = '',
  } = encodeRejection(failure, { method: 'GET', headers: originIn(received) }, rejectionHeaders)
  const headerValues = headers.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ''}`] : [],
  )
  const head = [
    `HTTP/1.1 ${status} ${Status.reasonPhrase(status)}`,
    `Date: ${new Date().toUTCString()}`,
    ...headerValues,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  lingeringClose(socket, `${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Returns the `Origin` header in the text of a request that has not been parsed, as a list of headers. */
const originIn = (received: string): Headers => {
  const origin = /\r\norigin:[ \t]*([^\r\n]*[^\r\n\t ])[ \t]*\r\n/i.exec(received)?.[1]
  return origin === undefined ? [] : ['Origin', origin]
}

/** The error passed to `clientError` listeners. */
export type ParserError = NodeJS.ErrnoException & {
  readonly reason?: string
  /** Number of bytes in `rawPacket` that the parser has parsed. */
  readonly bytesParsed?: number
  readonly rawPacket?: Buffer
}

/**
 * Creates the error for a request whose body arrives too slowly. The error has the same code as the built-in request timeout of
 * Node.js.
 */
export const slowBodyError = (): ParserError =>
  Object.assign(new Error('request body rate below fw.http.limits.min-body-rate'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  })

/** Creates a function that ends a connection after its received requests, because the bytes that follow are rejected. */
export const createFailureHandler = (
  { latest, close }: Pick<InFlightRequests, 'latest' | 'close'>,
  rejectionHeaders: RejectionHeaders,
): ((failure: RequestFailure, socket: Duplex, received?: string) => void) => {
  const failed = new WeakSet<Duplex>()
  return (failure, socket, received) => {
    // after an error, the parser reports another error for each further packet
    if (failed.has(socket) || !socket.writable) return
    failed.add(socket)
    close(socket)
    const last = latest(socket)
    if (last === undefined || last.isReceived)
      afterResponses(last, () => writeRawError(socket, failure, rejectionHeaders, received))
    else if (last.hasResponded) {
      afterResponses(last, () => lingeringClose(socket))
      last.onBodyFailed(failure)
    } else last.reject(failure)
  }
}

/** Creates the listener for `clientError` events. `grammar` is that of request targets. */
export const createClientErrorHandler = (
  inFlight: InFlightRequests,
  rejectionHeaders: RejectionHeaders,
  grammar?: RequestTarget.TargetGrammar,
): ((error: ParserError, socket: Duplex) => void) => {
  const fail = createFailureHandler(inFlight, rejectionHeaders)
  return (error, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else fail(failureOf(error, grammar), socket, error.rawPacket?.toString('latin1'))
  }
}

const failureOf = (error: ParserError, grammar?: RequestTarget.TargetGrammar): RequestFailure => {
  const { code, reason } = error
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isInTarget(error) ? { _tag: 'UriTooLong' } : { _tag: 'HeaderFieldsTooLarge' }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { _tag: 'ContentTooLarge', detail: 'The chunk extensions are too large.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { _tag: 'RequestTimeout' }
    case 'HPE_PAUSED_H2_UPGRADE':
      // the preface of HTTP/2, in which the version is 2.0
      return { _tag: 'VersionNotSupported' }
    case 'HPE_INVALID_VERSION':
      // the parser also uses this code for a malformed version and for text after the version
      return reason === 'Invalid HTTP version' ? { _tag: 'VersionNotSupported' } : malformed
    default:
      return hasUnknownMethod(error, grammar)
        ? { _tag: 'MethodNotImplemented' }
        : (RequestTarget.lineRejection(lineOf(error), grammar) ?? malformed)
  }
}

/** Returns the line in which the parser stopped, as far as it is in the packet. */
const lineOf = ({ bytesParsed: position = 0, rawPacket }: ParserError): string => {
  if (rawPacket === undefined || position === 0) return ''
  const end = rawPacket.indexOf('\r\n', position)
  return rawPacket.toString('latin1', rawPacket.lastIndexOf('\n', position - 1) + 1, end)
}

/**
 * Whether the parser has stopped in the target of a request. If the head began in an earlier packet, this is unknown, and the result is
 * `false`: a header section is more often too large than a target that exceeds the limits of the line and of the section together.
 */
const isInTarget = ({ bytesParsed = 0, rawPacket }: ParserError): boolean => {
  const start = rawPacket === undefined ? -1 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1
  return start >= 0 && lineStart.test(rawPacket?.toString('latin1', start, bytesParsed) ?? '')
}

/** A method and the beginning of a target. */
const lineStart = /^[A-Z-]+ +[^ ]*$/

const malformed: RequestFailure = {
  _tag: 'MalformedRequest',
  detail: 'The request is not a valid HTTP message.',
}

/**
 * Whether the request line is well-formed except for an unknown method. Such a request results in a 501 response instead of 400
 * (RFC 9110, 9.1).
 *
 * The error contains the packet in which the parser stopped, and the position within this packet.
 */
const hasUnknownMethod = (
  { code, reason, bytesParsed: position = 0, rawPacket }: ParserError,
  grammar?: RequestTarget.TargetGrammar,
): boolean => {
  if (rawPacket === undefined) return false
  // the parser initially accepts RTSP methods, and rejects them after `HTTP`
  if (code === 'HPE_INVALID_CONSTANT' && reason?.startsWith('Invalid method') === true)
    return versionEnd.test(rawPacket.toString('latin1', position, position + '/1.1\r\n'.length))
  if (code !== 'HPE_INVALID_METHOD') return false
  const end = rawPacket.indexOf('\r\n', position)
  if (end < 0) return false
  const [, rest = '', target = ''] =
    restOfLine.exec(rawPacket.toString('latin1', position, end)) ?? []
  // the bytes before the position match the beginning of a known method, which consists of letters and hyphens
  const isToken = rest !== '' || (position > 0 && isMethodByte(rawPacket[position - 1] ?? 0))
  return isToken && target !== '' && O.isSome(RequestTarget.parse('GET', target, grammar))
}

const versionEnd = /^\/1\.\d\r\n$/
const restOfLine = /^([!#$%&'*+.^_`|~\w-]*) +(\S+) +HTTP\/1\.\d$/

const isMethodByte = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || byte === 0x2d
