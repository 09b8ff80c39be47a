/** Converts responses from another service into replies. */
import type { Reply } from '../endpoint/reply.ts'
import { reply, withHeader } from '../endpoint/reply.ts'
import * as Grammar from '../http/grammar.ts'
import type { DecodedResponse } from './decoded-response.ts'
import { isBytes } from '../http/platform-value.ts'

/** Options for `forward`. */
export interface ForwardOptions {
  /**
   * Whether to forward `Set-Cookie` headers. Cookies set by the other service then become cookies of this service.
   * Default: `false`.
   */
  readonly cookies?: boolean
}

/**
 * Creates a reply with the status, body and headers of a response.
 *
 * As with any other reply, its status must be declared, and its body is encoded with the declared representation. The
 * response itself is not a reply and cannot be forwarded by accident.
 *
 * The following headers are dropped:
 *
 * - headers that apply only to the connection (RFC 9110, 7.6.1)
 * - headers that describe the encoded body, such as `Content-Length` and `Content-Encoding`
 * - `Date`, which the server sets
 * - `Set-Cookie`, by default
 *
 * The reply has the media type of the produced representation. Only a `Uint8Array` body keeps its original
 * `Content-Type`. For other bodies, a strong `ETag` becomes weak, because the body is encoded again (RFC 9110, 8.8.1).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { forward } from 'espalier/client'
 *
 * const response = {
 *   status: 201,
 *   headers: new Headers({ Connection: 'x-hop', 'X-Hop': '1', Location: '/books/1' }),
 *   body: 'created',
 *   url: 'http://localhost/books',
 * } as const
 *
 * assert.deepEqual(forward(response).headers, ['location', '/books/1'])
 * assert.equal(forward(response).entity, 'created')
 * ```
 */
export const forward = <St extends number, A>(
  { status, headers, body }: DecodedResponse<St, A>,
  { cookies = false }: ForwardOptions = {},
): Reply<St, A> => {
  const isBinary = isBytes(body)
  const named = Grammar.splitList(headers.get('connection') ?? '')
  const dropped = new Set([
    ...named.map((name) => name.toLowerCase()),
    ...connectionHeaders,
    ...encodingHeaders,
  ])
  if (!cookies) dropped.add('set-cookie')
  if (!isBinary) dropped.add('content-type')
  let forwarded = reply<St, A>(status, body)
  for (const [name, value] of headers) {
    if (dropped.has(name) || !Grammar.isHeaderValue(value)) continue
    const isStrong = name === 'etag' && !isBinary && value.startsWith('"')
    forwarded = withHeader(name, isStrong ? `W/${value}` : value)(forwarded)
  }
  return forwarded
}

/** Headers that apply to a single connection (RFC 9110, 7.6.1), and `Date`, which the server sets. */
const connectionHeaders = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authentication-info',
  'date',
]

/** Headers that describe the encoded body. They are dropped because the body is encoded again. */
const encodingHeaders = [
  'content-length',
  'content-encoding',
  'content-digest',
  'content-range',
  'accept-ranges',
]
