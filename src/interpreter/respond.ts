/** Puts replies into octets: which header fields are sent, and the content in the alternative that the client prefers. */
import { identity } from 'fp-ts/lib/function.js'
import type { AnyReply } from '../endpoint/reply.ts'
import * as Headers from '../http/headers.ts'
import * as MediaType from '../http/media-type.ts'
import * as Status from '../http/status.ts'
import type { Answer, Exchange } from './exchange.ts'
import type { ContentPlan, Plan, ResponsePlan } from './plan.ts'
import type { Settings } from './settings.ts'
import type { ChooseWriter } from './write-content.ts'
import { chooseWriter } from './write-content.ts'

export type Respond = (reply: AnyReply, exchange: Exchange) => Answer

interface Prepared {
  readonly choose: ChooseWriter | undefined
  /** Fields of every response with this status, and those without `Cache-Control`, for replies that bring their own. */
  readonly headers: Headers.Headers
  readonly uncached: Headers.Headers
}

/**
 * Prepares the responses of a plan; `offers` is everything that `Accept` chooses from where the plan stands. A reply whose
 * status is not declared is a defect of the handler.
 */
export const respond = (
  plan: Plan,
  settings: Settings,
  offers: ReadonlyArray<ContentPlan>,
): Respond => {
  const negotiated = isNegotiated(offers)
  const prepared = new Map(
    [...plan.responses.values()].map((response) => [
      response.status,
      prepare(plan, response, negotiated),
    ]),
  )
  const locate = locating(settings)
  return (reply, exchange) => {
    const known = prepared.get(reply.status) ?? undeclared(plan, reply, negotiated)
    const located = locate(owned(reply.headers), exchange)
    const fixed =
      Headers.first(located, 'cache-control') === undefined ? known.headers : known.uncached
    if (
      known.choose === undefined ||
      reply.entity === undefined ||
      !Status.hasContent(reply.status)
    )
      return { status: reply.status, headers: [...fixed, ...located], content: undefined }
    const accept = Headers.combined(exchange.headers, 'accept')
    // a failure that the client would rather not have is sent all the same (RFC 9110, 12.4.1)
    const writer = known.choose(accept) ?? known.choose(undefined)
    if (writer === undefined) throw new TypeError(`${plan.name} produces no concrete media type`)
    const typed =
      Headers.first(located, 'content-type') === undefined
        ? ['Content-Type', writer.contentType]
        : []
    return {
      status: reply.status,
      headers: [...typed, ...fixed, ...located],
      content: writer.write(reply.entity),
    }
  }
}

/** Whether `Accept` has a say (RFC 9110, 12.5.5). It has for a range too: the client names the media type. */
const isNegotiated = (contents: ReadonlyArray<ContentPlan>): boolean =>
  contents.length > 1 || contents.some(({ mediaType }) => MediaType.isRange(mediaType))

const prepare = (
  plan: Plan,
  { status, alternatives }: ResponsePlan,
  negotiated: boolean,
): Prepared => {
  const vary = negotiated || isNegotiated(alternatives) ? ['Vary', 'Accept'] : []
  const uncached = [...owned(plan.headers), ...vary]
  const cacheable = Status.isSuccess(status) || status === 304
  return {
    choose: alternatives.length === 0 ? undefined : chooseWriter(alternatives),
    headers:
      plan.cacheControl === undefined || !cacheable
        ? uncached
        : [...uncached, 'Cache-Control', plan.cacheControl],
    uncached,
  }
}

/** A reply without content may have any of the statuses that never have one: nothing could be declared of it. */
const undeclared = (plan: Plan, { status, entity }: AnyReply, negotiated: boolean): Prepared => {
  if (entity === undefined && !Status.hasContent(status))
    return prepare(plan, { status, failure: false, alternatives: [] }, negotiated)
  throw new TypeError(`${plan.name} replies ${status}, which it does not declare`)
}

const framing = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
  'date',
])

/** Fields without those that frame messages: they belong to the connection (RFC 9112, 6). */
export const owned = (headers: Headers.Headers): Headers.Headers =>
  headers.length === 0
    ? headers
    : headers.filter((_, index) => !framing.has((headers[index - (index % 2)] ?? '').toLowerCase()))

/** Changes the `Location` among fields. */
export type Locate = (headers: Headers.Headers, exchange: Exchange) => Headers.Headers

/** `Location` as it is sent: as it was given or, if the settings say so, resolved against the base URI of the application. */
export const locating = (settings: Settings): Locate =>
  settings['fw.rest.absolute-location'] ? absolute(settings['fw.rest.path']) : identity

const absolute =
  (path: string): Locate =>
  (headers, exchange) => {
    const base = `${exchange.origin()}${path.endsWith('/') ? path : `${path}/`}`
    return headers.map((text, index) =>
      index % 2 === 1 &&
      headers[index - 1]?.toLowerCase() === 'location' &&
      URL.canParse(text, base)
        ? new URL(text, base).href
        : text,
    )
  }
