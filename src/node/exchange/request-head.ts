/** Validates the request line and the headers that determine the framing and the target of a request. */
import type { Headers } from '../../http/headers.ts'
import { memoizeHeader } from '../../http/headers.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { RequestFailure } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Host from '../../http/host.ts'
import * as RequestTarget from '../../http/request-target.ts'

/** The properties of a request head that the server itself evaluates. */
export interface RequestHead {
  /**
   * Size of all header lines, in bytes. Each line consists of the name, a colon, a space, the value and CRLF. Additional whitespace
   * is not counted, because the parser removes it.
   */
  readonly size: number
  /** The value of the first `Host` header. */
  readonly host: string | undefined
  /** The values of all `Transfer-Encoding` headers, combined into one list (RFC 9110, 5.3). */
  readonly coding: string | undefined
  /** The value of the `Content-Length` header, or `0` if the header is missing. */
  readonly length: number
  /** The text of the first `Content-Length` header. */
  readonly lengthText: string | undefined
  /** Whether the request has an `Expect` header, regardless of its value. */
  readonly expects: boolean
  /** Whether the request has an `Upgrade` header. */
  readonly upgrades: boolean
  /** The name of a singleton header that occurs more than once, or `undefined` if no singleton header is repeated. */
  readonly repeated: string | undefined
}

/**
 * Headers that must not occur more than once. If one of them were repeated, an intermediary and the server might use different
 * values.
 */
const singletons = ['host', 'content-type', 'content-length', 'authorization']

/** Bits that stand for the members of `singletons`. */
const hostBit = 1
const contentTypeBit = 2
const contentLengthBit = 4
const authorizationBit = 8

/** Reads the headers of a request in one pass. */
export const readHead = (headers: Headers): RequestHead => {
  let size = 0
  let host: string | undefined
  let coding: string | undefined
  let length = 0
  let lengthText: string | undefined
  let expects = false
  let upgrades = false
  let seen = 0
  let repeated = 0
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const value = headers[index + 1] ?? ''
    size += name.length + value.length + ': \r\n'.length
    let bit = 0
    switch (name.toLowerCase()) {
      case 'host':
        host ??= value
        bit = hostBit
        break
      case 'content-type':
        bit = contentTypeBit
        break
      case 'authorization':
        bit = authorizationBit
        break
      case 'content-length':
        length ||= Number(value)
        lengthText ??= value
        bit = contentLengthBit
        break
      case 'transfer-encoding':
        coding = coding === undefined ? value : `${coding}, ${value}`
        break
      case 'expect':
        expects = true
        break
      case 'upgrade':
        upgrades = true
        break
    }
    repeated |= seen & bit
    seen |= bit
  }
  return {
    size,
    host,
    coding,
    length,
    lengthText,
    expects,
    upgrades,
    repeated: repeated === 0 ? undefined : singletons.find((_, bit) => (repeated >> bit) & 1),
  }
}

/** The request line and the headers, as received. */
export interface ReceivedHead {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly httpVersion: string
  readonly rawHeaders: Headers
}

/** Limits on a request head. */
export interface HeadLimits {
  /** Maximum number of headers. */
  readonly headers: number
  /** Maximum total size of the header lines, in bytes. */
  readonly size: number
  /** Maximum size of the request line, in bytes. */
  readonly line: number
  /** The characters that are accepted in the request target. Default: those of the URL Standard. */
  readonly target?: RequestTarget.TargetGrammar
}

/** Validates a request head. Returns the request target, or the failure with which the request is rejected. */
export const validateHead = (
  { method = '', url = '', rawHeaders, httpVersion }: ReceivedHead,
  { size, host, coding, repeated, lengthText, length }: RequestHead,
  limits: HeadLimits,
): RequestTarget.RequestTarget | RequestFailure => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return { _tag: 'VersionNotSupported' }
  if (method.length + url.length + ' HTTP/1.1 '.length > limits.line) return { _tag: 'UriTooLong' }
  if (rawHeaders.length > limits.headers * 2 || size > limits.size)
    return { _tag: 'HeaderFieldsTooLarge' }
  const codingFailure = coding === undefined ? undefined : validateCoding(coding, httpVersion)
  if (codingFailure !== undefined) return codingFailure
  if (lengthText !== undefined) {
    if (!/^\d+$/.test(lengthText) || length >= maxLength)
      return malformed('Invalid Content-Length header.')
    if (coding !== undefined)
      return malformed('Content-Length and Transfer-Encoding exclude each other.')
  }
  if (repeated !== undefined) return malformed(`Duplicate header: ${repeated}.`)
  if (host === undefined) {
    if (httpVersion === '1.1') return malformed('Missing Host header.')
  } else if (host !== '' && !isHost(host)) return malformed('Invalid Host header.')
  const target = RequestTarget.parse(method, url, limits.target)
  return O.isSome(target) ? target.value : RequestTarget.rejection(url, limits.target)
}

/** Lower bound of the lengths that are rejected because intermediaries might not be able to represent them. */
const maxLength = 2 ** 63

const malformed = (detail: string): RequestFailure => ({ _tag: 'MalformedRequest', detail })

/** Validates the value of `Transfer-Encoding`. Only `chunked` is supported. */
const validateCoding = (coding: string, httpVersion: string): RequestFailure | undefined => {
  if (httpVersion === '1.0') return malformed('Unsupported header in HTTP/1.0: Transfer-Encoding.')
  const [last = '', ...others] = coding.toLowerCase().split(',').toReversed()
  // otherwise the end of the body is unknown (RFC 9112, 6.3)
  if (Grammar.trim(last) !== 'chunked') return malformed('Transfer-Encoding must end with chunked.')
  // a body must not be chunked twice (RFC 9112, 6.1)
  if (others.some((other) => Grammar.trim(other) === 'chunked'))
    return malformed('Transfer-Encoding must contain chunked only once.')
  return others.length > 0 ? { _tag: 'TransferCodingNotImplemented' } : undefined
}

/** Whether the value of a `Host` header is valid. Results are memoized, because clients send few distinct values. */
const isHost = memoizeHeader((host = '') => O.isSome(Host.parse(host)))
