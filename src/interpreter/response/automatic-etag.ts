/**
 * Adds an `ETag` computed from the response body, and evaluates the preconditions of the request against this `ETag`.
 *
 * The digest is computed with Web Crypto, because this API is available in every runtime and does not block the event loop.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
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
 * Adds an `ETag` to a 200 response to GET or HEAD, unless the response already has one. Then evaluates the preconditions.
 *
 * Returns a response without a body if the preconditions result in a 304 response, and rejects with a 412 error. All other responses are
 * returned unchanged, because they do not represent the target resource (RFC 9110, 8.8.3 and 9.3.4).
 */
const addEtag = async (
  response: EncodedResponse,
  validator: Validator,
  exchange: Pick<Exchange, 'method' | 'headers' | 'reservation'>,
): Promise<EncodedResponse> => {
  const { method, headers: requestHeaders } = exchange
  const { status, headers, body } = response
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return response
  if (body === undefined || isChunkSource(body)) return response
  const ownEtag = Headers.first(headers, 'etag')
  keepUntilSent(response, exchange)
  const etag =
    ownEtag === undefined
      ? { weak: validator === 'weak', opaque: await digest(headers, body) }
      : O.toUndefined(EntityTag.parse(ownEtag))
  const withEtag =
    ownEtag === undefined && etag !== undefined
      ? [...headers, 'ETag', EntityTag.format(etag)]
      : headers
  const decision = Preconditions.evaluate(method, requestHeaders, {
    etag,
    lastModified: dateOf(Headers.first(headers, 'last-modified')),
  })
  if (decision === 412) throw preconditionFailed(withEtag)
  return decision === 'proceed'
    ? { status, headers: withEtag, body }
    : {
        status: decision,
        headers: bodyHeaders.reduce<Headers.Headers>(Headers.without, withEtag),
        body: undefined,
        replaced: {
          headers: withEtag,
          size: typeof body === 'string' ? encoder.encode(body).length : body.length,
        },
      }
}

/** Headers that are removed together with the body from a 304 response (RFC 9110, 15.4.5). */
const bodyHeaders = ['content-type', 'content-encoding', 'content-language', 'accept-ranges']

const dateOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : O.toUndefined(HttpDate.parse(text))

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
