/**
 * Validates the head of a request: everything that Node's parser accepts and HTTP forbids.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3
 */
import type { IncomingMessage } from 'node:http'
import * as O from 'fp-ts/lib/Option.js'
import type { RequestFailure } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Host from '../../http/host.ts'
import * as RequestTarget from '../../http/request-target.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import type { RequestHead } from './request-head.ts'

export interface HeadLimits {
  /** Maximum number of headers. */
  readonly headers: number
  /** Maximum bytes of all header lines. */
  readonly size: number
  /** Maximum bytes of the request line. */
  readonly line: number
}

/** Returns the request target, or the reason why the request is rejected. */
export const validateHead = (
  { method = '', url = '', rawHeaders, httpVersion }: IncomingMessage,
  { size, host, coding, repeated }: RequestHead,
  limits: HeadLimits,
): RequestTarget.RequestTarget | RequestFailure => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return { _tag: 'VersionNotSupported' }
  if (method.length + url.length + ' HTTP/1.1 '.length > limits.line) return { _tag: 'UriTooLong' }
  if (rawHeaders.length > limits.headers * 2 || size > limits.size)
    return { _tag: 'HeaderFieldsTooLarge' }
  const codingFailure = coding === undefined ? undefined : validateCoding(coding, httpVersion)
  if (codingFailure !== undefined) return codingFailure
  if (repeated !== undefined) return malformed(`Duplicate header: ${repeated}.`)
  if (host === undefined) {
    if (httpVersion === '1.1') return malformed('Missing header: Host.')
  } else if (host !== '' && !isHost(host)) return malformed('Invalid header: Host.')
  const target = RequestTarget.parse(method, url)
  return O.isSome(target) ? target.value : malformed('Invalid request target.')
}

const malformed = (detail: string): RequestFailure => ({ _tag: 'MalformedRequest', detail })

/** Validates `Transfer-Encoding`. Only `chunked` is supported. */
const validateCoding = (coding: string, httpVersion: string): RequestFailure | undefined => {
  if (httpVersion === '1.0') return malformed('Unsupported header in HTTP/1.0: Transfer-Encoding.')
  const [last = '', ...others] = coding.toLowerCase().split(',').toReversed()
  // otherwise the end of the body is unknown (RFC 9112, 6.3)
  if (Grammar.trim(last) !== 'chunked') return malformed('Transfer-Encoding must end with chunked.')
  return others.length > 0 ? { _tag: 'TransferCodingNotImplemented' } : undefined
}

/** Memoized, because clients send few different hosts. */
const isHost = memoizeHeader((host = '') => O.isSome(Host.parse(host)))
