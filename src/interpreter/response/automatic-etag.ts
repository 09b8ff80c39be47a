/**
 * Tags content by its octets where its representation says so, and then answers the conditions of the request. The digest is
 * that of Web Crypto, which every runtime has and which does not hold up the event loop.
 */
import * as O from 'fp-ts/lib/Option.js'
import type { Validator } from '../../endpoint/representation.ts'
import * as EntityTag from '../../http/entity-tag.ts'
import * as Headers from '../../http/headers.ts'
import * as HttpDate from '../../http/http-date.ts'
import * as Preconditions from '../../http/preconditions.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import type { WriteBody } from './deferred-response.ts'
import { keepUntilSent } from './keep-until-sent.ts'

/** Writes as before; where the alternative is tagged, the answer is opened with its tag. Content in pieces has no octets yet. */
export const withAutomaticEtag = ({ validator }: BodyPlan, write: WriteBody): WriteBody =>
  validator === undefined
    ? write
    : (value, asking) => {
        const content = write(value, asking)
        return typeof content === 'function'
          ? content
          : (head, exchange) => addEtag({ ...head, body: content }, validator, exchange)
      }

/**
 * The answer with a tag, its own if it has one; or 304 or 412, if the conditions of the request say so. Only a representation
 * of the resource is tagged: what GET and HEAD answer with 200 (RFC 9110, 8.8.3 and 9.3.4).
 */
export const addEtag = async (
  answer: EncodedResponse & { readonly body: string | Uint8Array },
  validator: Validator,
  exchange: Pick<Exchange, 'method' | 'headers' | 'reservation'>,
): Promise<EncodedResponse> => {
  const { method, headers: request } = exchange
  const { status, headers, body: content } = answer
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return answer
  const own = Headers.first(headers, 'etag')
  keepUntilSent(answer, exchange)
  const etag =
    own === undefined
      ? { weak: validator === 'weak', opaque: await digest(headers, content) }
      : O.toUndefined(EntityTag.parse(own))
  const fields =
    own === undefined && etag !== undefined ? [...headers, 'ETag', EntityTag.format(etag)] : headers
  const decision = Preconditions.evaluate(method, request, {
    etag,
    lastModified: dateOf(Headers.first(headers, 'last-modified')),
  })
  return decision === 'proceed'
    ? { status, headers: fields, body: content }
    : {
        status: decision,
        headers: ofContent.reduce<Headers.Headers>(Headers.without, fields),
        body: undefined,
      }
}

/** What an answer without content has no use for (RFC 9110, 15.4.5). */
const ofContent = ['content-type', 'content-encoding', 'content-language', 'accept-ranges']

const dateOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : O.toUndefined(HttpDate.parse(text))

const encoder = new TextEncoder()

/** 128 bits of SHA-256 over media type and octets: the same octets of another media type are another representation. */
const digest = async (headers: Headers.Headers, content: string | Uint8Array): Promise<string> => {
  const type = encoder.encode(`${Headers.first(headers, 'content-type') ?? ''}\n`)
  const octets = typeof content === 'string' ? encoder.encode(content) : content
  const both = new Uint8Array(type.length + octets.length)
  both.set(type)
  both.set(octets, type.length)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', both))
  return btoa(String.fromCharCode(...hash.subarray(0, 16))).replace(/=+$/, '')
}
