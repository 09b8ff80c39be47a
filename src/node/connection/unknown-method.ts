/**
 * Recognizes requests that Node's parser rejects only because it does not know their method: 501 instead of 400 (RFC 9110,
 * 9.1). The parser reports where it stopped, and the packet in which that was.
 */
import * as O from 'fp-ts/lib/Option.js'
import * as RequestTarget from '../../http/request-target.ts'

export interface ParserPosition {
  readonly code?: string | undefined
  readonly reason?: string | undefined
  /** The number of bytes of the packet that were parsed. */
  readonly bytesParsed?: number
  readonly rawPacket?: Buffer
}

/** Returns whether the request line is well-formed apart from a method that the parser does not know. */
export const hasUnknownMethod = ({
  code,
  reason,
  bytesParsed: at = 0,
  rawPacket,
}: ParserPosition): boolean => {
  if (rawPacket === undefined) return false
  // methods of RTSP, which the parser knows, are rejected after `HTTP`
  if (code === 'HPE_INVALID_CONSTANT' && reason?.startsWith('Invalid method') === true)
    return versionEnd.test(rawPacket.toString('latin1', at, at + '/1.1\r\n'.length))
  if (code !== 'HPE_INVALID_METHOD') return false
  const end = rawPacket.indexOf('\r\n', at)
  if (end < 0) return false
  const [, rest = '', target = ''] = restOfLine.exec(rawPacket.toString('latin1', at, end)) ?? []
  // before the place are only letters and hyphens that begin a known method, if any
  const isToken = rest !== '' || (at > 0 && isMethodByte(rawPacket[at - 1] ?? 0))
  return isToken && target !== '' && O.isSome(RequestTarget.parse('GET', target))
}

const versionEnd = /^\/1\.[01]\r\n$/
const restOfLine = /^([!#$%&'*+.^_`|~\w-]*) +(\S+) +HTTP\/1\.[01]$/

const isMethodByte = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || byte === 0x2d
