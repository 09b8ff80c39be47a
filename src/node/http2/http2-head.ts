/** Validates the header section of an HTTP/2 request (RFC 9113, 8.3), and converts it to the headers of the same HTTP/1.1 request. */
import type { RequestFailure } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import type { RequestTarget } from '../../http/request-target.ts'
import type { HeadLimits } from '../exchange/request-head.ts'
import { readHead, validateHead } from '../exchange/request-head.ts'

/** The header section of an HTTP/2 request. */
export interface Http2Head {
  readonly method: string
  /** The headers without pseudo-headers. `Host` contains `:authority`, and there is at most one `Cookie`. */
  readonly headers: Headers.Headers
  /** The value of `Host`. */
  readonly host: string | undefined
  /** The value of `Content-Length`, or `undefined` if the header is missing. */
  readonly length: number | undefined
  /** Whether the client waits for 100 (Continue) before it sends the body. */
  readonly awaitsContinue: boolean
  /** The parsed target, or the failure with which the request is rejected. */
  readonly target: RequestTarget | RequestFailure
}

/**
 * Reads a header section. `fields` contains names and values, as received.
 *
 * Node.js has rejected malformed requests with a stream error: upper-case names, connection-specific headers, `TE` other than
 * `trailers`, and missing, repeated or unknown pseudo-headers.
 */
export const readHttp2Head = (fields: Headers.Headers, limits: HeadLimits): Http2Head => {
  let [method, path, authority]: Array<string | undefined> = []
  const headers: string[] = []
  const cookies: string[] = []
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? ''
    const value = fields[index + 1] ?? ''
    if (name === ':method') method = value
    else if (name === ':path') path = value
    else if (name === ':authority') authority = value
    // clients may split cookies into several headers (RFC 9113, 8.2.3)
    else if (name === 'cookie') cookies.push(value)
    else if (!name.startsWith(':')) headers.push(name, value)
  }
  if (cookies.length > 0) headers.push('cookie', cookies.join('; '))
  const hosts = Headers.all(headers, 'host')
  if (authority !== undefined && hosts.length === 0) headers.unshift('host', authority)
  const head = readHead(headers)
  const received = {
    method: method ?? '',
    url: path ?? '',
    httpVersion: '1.1',
    rawHeaders: headers,
  }
  const length = Headers.first(headers, 'content-length')
  const expectation = Headers.first(headers, 'expect')
  return {
    method: received.method,
    headers,
    host: head.host,
    length: length === undefined ? undefined : Number(length),
    awaitsContinue: expectation !== undefined && isContinue(expectation),
    target:
      invalidRequest(received, authority, hosts, expectation) ??
      validateHead(received, head, limits),
  }
}

/** Returns the failure for a request that is invalid in HTTP/2. Any token is a method: the pipeline rejects undeclared ones. */
const invalidRequest = (
  { method, url }: { readonly method: string; readonly url: string },
  authority: string | undefined,
  hosts: ReadonlyArray<string>,
  expectation: string | undefined,
): RequestFailure | undefined => {
  if (method === 'CONNECT') return { _tag: 'MethodNotAllowed', allow: [] }
  if (!Grammar.isToken(method)) return malformed('Invalid method.')
  // `validateHead` also accepts the absolute form, which has an authority of its own
  if (!url.startsWith('/') && url !== '*') return malformed('Invalid request target.')
  if (authority !== undefined && hosts.some((host) => !isSameHost(host, authority)))
    return malformed('Host differs from :authority.')
  return expectation === undefined || isContinue(expectation)
    ? undefined
    : { _tag: 'ExpectationFailed' }
}

const malformed = (detail: string): RequestFailure => ({ _tag: 'MalformedRequest', detail })

const isSameHost = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Whether a value of `Expect` contains `100-continue`. Node.js applies the same expression to HTTP/1.1 requests. */
const isContinue = (value: string): boolean => /(?:^|\W)100-continue(?:$|\W)/i.test(value)
