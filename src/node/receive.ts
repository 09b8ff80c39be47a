/**
 * Looks at the head of a request before anything else does. Node's parser is strict about framing and lenient about the
 * rest; what it lets pass and HTTP does not is refused here, in one place.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3
 */
import type { IncomingMessage } from 'node:http'
import * as O from 'fp-ts/lib/Option.js'
import type { Failure } from '../http/failure.ts'
import * as Grammar from '../http/grammar.ts'
import * as Headers from '../http/headers.ts'
import * as Host from '../http/host.ts'
import * as RequestTarget from '../http/request-target.ts'

/** A request that keeps to the rules: where it goes, and by which authority. */
export interface Received {
  readonly _tag: 'Received'
  readonly target: RequestTarget.RequestTarget
  readonly authority: string | undefined
}

export interface HeadLimits {
  /** Header fields of a request. */
  readonly fields: number
  /** Octets of all header fields, as lines. */
  readonly size: number
  /** Octets of the request line. */
  readonly line: number
}

const malformed = (detail: string): Failure => ({ _tag: 'MalformedRequest', detail })

/** Refuses a head, or says where the request goes. */
export const receive = (
  request: IncomingMessage,
  { fields, size, line }: HeadLimits,
): Received | Failure => {
  const { method = '', url = '', rawHeaders, httpVersion } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return { _tag: 'VersionNotSupported' }
  if (method.length + url.length + ' HTTP/1.1 '.length > line) return { _tag: 'UriTooLong' }
  if (rawHeaders.length > fields * 2 || sizeOf(rawHeaders) > size)
    return { _tag: 'HeaderFieldsTooLarge' }
  const coding = Headers.combined(rawHeaders, 'transfer-encoding')
  if (coding !== undefined) {
    if (httpVersion === '1.0') return malformed('Transfer-Encoding does not exist in HTTP/1.0.')
    const [last = '', ...others] = coding.toLowerCase().split(',').toReversed()
    // without chunks at the end, nobody knows where the content ends (RFC 9112, 6.3)
    if (Grammar.trim(last) !== 'chunked')
      return malformed('Transfer-Encoding does not end in chunked.')
    if (others.length > 0) return { _tag: 'TransferCodingNotImplemented' }
  }
  const repeated = single.find((name) => Headers.all(rawHeaders, name).length > 1)
  if (repeated !== undefined)
    return malformed(`The header field ${repeated} is given more than once.`)
  const host = Headers.first(rawHeaders, 'host')
  if (host === undefined ? httpVersion === '1.1' : host !== '' && O.isNone(Host.parse(host)))
    return malformed(
      host === undefined
        ? 'The header field Host is missing.'
        : 'The header field Host is malformed.',
    )
  const target = RequestTarget.parse(method, url)
  if (O.isNone(target)) return malformed('The request target is malformed.')
  const named = target.value._tag === 'Resource' ? target.value.authority : undefined
  return { _tag: 'Received', target: target.value, authority: named ?? host }
}

/** A line is a name, a colon, a space, a value, and the two octets of its end; spaces beyond that are not known any more. */
const sizeOf = (headers: Headers.Headers): number =>
  headers.reduce((size, text) => size + text.length + 2, 0)

/** Fields that a request has once, or an intermediary and the server could read different ones. */
const single = ['host', 'content-type', 'content-length', 'authorization']
