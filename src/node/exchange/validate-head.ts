/**
 * Looks at the head of a request before anything else does. Node's parser is strict about framing and lenient about the
 * rest; what it lets pass and HTTP does not is refused here, in one place.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3
 */
import type { IncomingMessage } from 'node:http'
import * as O from 'fp-ts/lib/Option.js'
import type { RequestFailure } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Host from '../../http/host.ts'
import * as RequestTarget from '../../http/request-target.ts'
import { remember } from '../../body/memoize-header.ts'
import type { RequestHead } from './request-head.ts'

export interface HeadLimits {
  /** Header fields of a request. */
  readonly headers: number
  /** Octets of all header fields, as lines. */
  readonly size: number
  /** Octets of the request line. */
  readonly line: number
}

/** Refuses a head, or says where the request goes. */
export const validateHead = (
  { method = '', url = '', rawHeaders, httpVersion }: IncomingMessage,
  { size, host, coding, repeated }: RequestHead,
  limits: HeadLimits,
): RequestTarget.RequestTarget | RequestFailure => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return { _tag: 'VersionNotSupported' }
  if (method.length + url.length + ' HTTP/1.1 '.length > limits.line) return { _tag: 'UriTooLong' }
  if (rawHeaders.length > limits.headers * 2 || size > limits.size)
    return { _tag: 'HeaderFieldsTooLarge' }
  const uncoded = coding === undefined ? undefined : refuseCoding(coding, httpVersion)
  if (uncoded !== undefined) return uncoded
  if (repeated !== undefined)
    return malformed(`The header field ${repeated} is given more than once.`)
  if (host === undefined) {
    if (httpVersion === '1.1') return malformed('The header field Host is missing.')
  } else if (host !== '' && !isHost(host)) return malformed('The header field Host is malformed.')
  const target = RequestTarget.parse(method, url)
  return O.isSome(target) ? target.value : malformed('The request target is malformed.')
}

const malformed = (detail: string): RequestFailure => ({ _tag: 'MalformedRequest', detail })

const refuseCoding = (coding: string, httpVersion: string): RequestFailure | undefined => {
  if (httpVersion === '1.0') return malformed('Transfer-Encoding does not exist in HTTP/1.0.')
  const [last = '', ...others] = coding.toLowerCase().split(',').toReversed()
  // without chunks at the end, nobody knows where the content ends (RFC 9112, 6.3)
  if (Grammar.trim(last) !== 'chunked')
    return malformed('Transfer-Encoding does not end in chunked.')
  return others.length > 0 ? { _tag: 'TransferCodingNotImplemented' } : undefined
}

/** Clients mean few hosts, again and again. */
const isHost = remember((text = '') => O.isSome(Host.parse(text)))
