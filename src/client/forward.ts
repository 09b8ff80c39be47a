/** Answers of one service as replies of another. */
import type { Reply } from '../endpoint/reply.ts'
import { reply, withHeader } from '../endpoint/reply.ts'
import * as Grammar from '../http/grammar.ts'
import * as Headers from '../http/headers.ts'
import type { Answer } from './decoded-response.ts'

/** What is forwarded beside the rest. */
export interface ForwardOptions {
  /** Whether `Set-Cookie` is: the cookies of the other service become this one's. */
  readonly cookies?: boolean
}

/**
 * A reply with the status, the body and the header fields of an answer: an answer itself is no reply, so that what another
 * service says never becomes one's own by accident. It is declared, and written, like any other reply.
 *
 * Fields of the connection (RFC 9110, 7.6.1), of the octets that came (`Content-Length`, `Content-Encoding`, …) and, unless
 * asked for, cookies are left out. The media type is that of the representation that is produced, unless the body is octets; a
 * strong `ETag` becomes weak where it is not (RFC 9110, 8.8.1).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { forward } from 'espalier/client'
 *
 * const answer = {
 *   status: 201,
 *   headers: ['Connection', 'x-hop', 'X-Hop', '1', 'Location', '/books/1'],
 *   body: 'made',
 *   url: 'http://localhost/books',
 * } as const
 *
 * assert.deepEqual(forward(answer).headers, ['Location', '/books/1'])
 * assert.equal(forward(answer).entity, 'made')
 * ```
 */
export const forward = <St extends number, A>(
  { status, headers, body }: Answer<St, A>,
  { cookies = false }: ForwardOptions = {},
): Reply<St, A> => {
  const isOctets = body instanceof Uint8Array
  const named = Headers.all(headers, 'connection').flatMap(Grammar.splitList)
  const left = new Set([...named.map((name) => name.toLowerCase()), ...connection, ...content])
  if (!cookies) left.add('set-cookie')
  if (!isOctets) left.add('content-type')
  let made = reply<St, A>(status, body)
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    if (left.has(name.toLowerCase()) || !Grammar.isToken(name) || !Grammar.isHeaderValue(value))
      continue
    const isStrong = name.toLowerCase() === 'etag' && !isOctets && value.startsWith('"')
    made = withHeader(name, isStrong ? `W/${value}` : value)(made)
  }
  return made
}

/** Fields that mean one connection (RFC 9110, 7.6.1), or that this server says itself. */
const connection = [
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

/** Fields of the octets that came, which are not those that are sent. */
const content = [
  'content-length',
  'content-encoding',
  'content-digest',
  'content-range',
  'accept-ranges',
]
