/**
 * Adds an `ETag` computed from the response body, and evaluates the preconditions of the request against this `ETag`.
 *
 * The digest is computed with Web Crypto, because this API is available in every runtime and does not block the event loop.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
import { isRead } from '../../http/method.ts'
import * as O from 'fp-ts/lib/Option.js'
import type { Validator } from '../../endpoint/representation.ts'
import * as EntityTag from '../../http/entity-tag.ts'
import * as Headers from '../../http/headers.ts'
import * as HttpDate from '../../http/http-date.ts'
import * as Preconditions from '../../http/preconditions.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import { isChunkSource, keepUntilSent } from '../exchange.ts'
import { preconditionFailed } from './response-headers.ts'
import type { WriteResponseBody } from './write-body.ts'

/** Wraps `write` so that it adds an `ETag` if the representation declares a `validator`. Streams and files are not changed. */
export const withAutomaticEtag = (
  { validator, format }: BodyPlan,
  write: WriteResponseBody,
): WriteResponseBody =>
  validator === undefined || bodyFormat(format).isStreamed
    ? write
    : (value, context) => {
        const body = write(value, context)
        return async (head, exchange) =>
          addEtag(
            typeof body === 'function' ? await body(head, exchange) : { ...head, body },
            validator,
            exchange,
          )
      }

/**
 * Adds an `ETag` to a 200 response to GET, HEAD or QUERY, unless the response already has one. Then evaluates the preconditions.
 *
 * Returns a response without a body if the preconditions result in a 304 response, and rejects with a 412 error. All other responses are
 * returned unchanged, because they do not represent the target resource (RFC 9110, 8.8.3 and 9.3.4).
 */
const addEtag = async (
  response: EncodedResponse,
  validator: Validator,
  exchange: Pick<Exchange, 'method' | 'headers' | 'reservation'>,
): Promise<EncodedResponse> => {
  const { method } = exchange
  const { status, headers, body } = response
  if (status !== 200 || !isRead(method)) return response
  if (body === undefined || isChunkSource(body)) return response
  const ownEtag = Headers.first(headers, 'etag')
  keepUntilSent(response, exchange)
  const withEtag =
    ownEtag === undefined
      ? [
          ...headers,
          'ETag',
          EntityTag.format({ weak: validator === 'weak', opaque: await digest(headers, body) }),
        ]
      : headers
  const size = typeof body === 'string' ? encoder.encode(body).length : body.length
  return notModified(exchange, withEtag, size, bodyHeaders) ?? { status, headers: withEtag, body }
}

/** Headers that are removed together with the body from a 304 response (RFC 9110, 15.4.5). */
const bodyHeaders = ['content-type', 'content-encoding', 'content-language', 'accept-ranges']

/**
 * Evaluates the preconditions of a request against the validators in `headers`, which belong to a representation of `size` bytes. Returns
 * a 304 response without the `removed` headers, or `undefined` if the request proceeds. Throws a 412 error.
 */
export const notModified = (
  { method, headers: requestHeaders }: Pick<Exchange, 'method' | 'headers'>,
  headers: Headers.Headers,
  size: number,
  removed: ReadonlyArray<string>,
): EncodedResponse | undefined => {
  const decision = Preconditions.evaluate(method, requestHeaders, validatorsOf(headers))
  if (decision === 'proceed') return undefined
  if (decision === 412) throw preconditionFailed(headers)
  return {
    status: decision,
    headers: removed.reduce<Headers.Headers>(Headers.without, headers),
    body: undefined,
    replaced: { headers, size },
  }
}

export const validatorsOf = (headers: Headers.Headers): Preconditions.Validators => ({
  etag: O.toUndefined(EntityTag.parse(Headers.first(headers, 'etag') ?? '')),
  lastModified: O.toUndefined(HttpDate.parse(Headers.first(headers, 'last-modified') ?? '')),
})

const encoder = new TextEncoder()

/**
 * Returns the first 128 bits of the SHA-256 digest of the media type, the language and the body. The media type and the language
 * are included, because the same bytes with another media type or language are a different representation.
 */
const digest = async (headers: Headers.Headers, body: string | Uint8Array): Promise<string> => {
  const language = Headers.combined(headers, 'content-language')
  const metadata = encoder.encode(
    `${Headers.first(headers, 'content-type') ?? ''}\n${language === undefined ? '' : `${language}\n`}`,
  )
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const input = new Uint8Array(metadata.length + bytes.length)
  input.set(metadata)
  input.set(bytes, metadata.length)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', input))
  return btoa(String.fromCharCode(...hash.subarray(0, 16))).replace(/=+$/, '')
}
