/**
 * Handles bytes that Node's HTTP parser rejects.
 *
 * Responses to earlier requests of the connection are sent first, so that a complete request is not lost because of the bytes after
 * it. A request whose own body is malformed is rejected, because it would wait forever for the rest of the body.
 */
import type { Duplex } from 'node:stream'
import * as O from 'fp-ts/lib/Option.js'
import type { RequestFailure } from '../../http/failure.ts'
import * as RequestTarget from '../../http/request-target.ts'
import type { InFlightRequests } from './in-flight-requests.ts'
import { afterResponses } from './in-flight-requests.ts'
import { lingeringClose } from './lingering-close.ts'
import { writeRawError } from './raw-response.ts'

/** The error of a `clientError` event. */
export type ParserError = NodeJS.ErrnoException & {
  readonly reason?: string
  /** Number of bytes of the packet that were parsed. */
  readonly bytesParsed?: number
  readonly rawPacket?: Buffer
}

/** Creates the error of a request whose body arrives too slowly. It has the code of Node's own request timeout. */
export const slowBodyError = (): ParserError =>
  Object.assign(new Error('request body rate below fw.http.limits.min-body-rate'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  })

/** Creates the listener of `clientError` events. */
export const createClientErrorHandler = ({
  latest,
  close,
}: InFlightRequests): ((error: ParserError, socket: Duplex) => void) => {
  const failed = new WeakSet<Duplex>()
  return (error, socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    // the parser reports an error again for everything that follows the first one
    if (failed.has(socket) || !socket.writable) return
    failed.add(socket)
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
      // before the end of the first line, the request target is too long
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
      // the parser also uses this code for a malformed version, and for text after the version
      return reason === 'Invalid HTTP version' ? { _tag: 'VersionNotSupported' } : malformed
    default:
      return hasUnknownMethod(error) ? { _tag: 'MethodNotImplemented' } : malformed
  }
}

const malformed: RequestFailure = {
  _tag: 'MalformedRequest',
  detail: 'The request is not a valid HTTP message.',
}

/**
 * Whether the request line is well-formed apart from a method that the parser does not know: 501 instead of 400 (RFC 9110, 9.1).
 *
 * The parser reports the packet in which it stopped, and the position in it.
 */
const hasUnknownMethod = ({
  code,
  reason,
  bytesParsed: position = 0,
  rawPacket,
}: ParserError): boolean => {
  if (rawPacket === undefined) return false
  // the parser knows the methods of RTSP, and rejects them after `HTTP`
  if (code === 'HPE_INVALID_CONSTANT' && reason?.startsWith('Invalid method') === true)
    return versionEnd.test(rawPacket.toString('latin1', position, position + '/1.1\r\n'.length))
  if (code !== 'HPE_INVALID_METHOD') return false
  const end = rawPacket.indexOf('\r\n', position)
  if (end < 0) return false
  const [, rest = '', target = ''] =
    restOfLine.exec(rawPacket.toString('latin1', position, end)) ?? []
  // before the position are only letters and hyphens in which a known method begins, if any
  const isToken = rest !== '' || (position > 0 && isMethodByte(rawPacket[position - 1] ?? 0))
  return isToken && target !== '' && O.isSome(RequestTarget.parse('GET', target))
}

const versionEnd = /^\/1\.[01]\r\n$/
const restOfLine = /^([!#$%&'*+.^_`|~\w-]*) +(\S+) +HTTP\/1\.[01]$/

const isMethodByte = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || byte === 0x2d
