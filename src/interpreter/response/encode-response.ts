/** Puts replies into octets: which header fields are sent, and the content in the alternative that the client prefers. */
import { identity } from 'fp-ts/lib/function.js'
import type { ResponseContext } from '../../endpoint/context.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import { parseUrl } from '../../http/parse-url.ts'
import * as Status from '../../http/status.ts'
import type { WriteContext } from './write-context.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import type { AsyncResult } from '../filters/interceptor-chain.ts'
import type { DeferredResponse } from './deferred-response.ts'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import { hasLateMediaType } from '../../body/body-plan.ts'
import { encodeFor } from '../../body/text/charset.ts'
import { enforceContentLength } from './enforce-content-length.ts'
import { hasSingletonHeader, sanitizeHeaders } from './response-headers.ts'
import { serverUrl } from '../links/server-url.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import type { BodyWriter } from './write-content.ts'
import { negotiateWriter, withContentType } from './write-content.ts'

/** What is to be sent: a reply, or a bare value with its status. */
export type ResponseValue = Pick<AnyReply, 'status' | 'entity' | 'headers'> & {
  /** The declared status whose content it has, where its own is not declared. */
  readonly as?: number
}

/** The answer for an outcome: now, or when its content is open, or when writers and interceptors have been asked. */
export interface EncodeResponse {
  (
    outcome: ResponseValue,
    asking: WriteContext,
  ): EncodedResponse | AsyncResult<ResponseContext, EncodedResponse>
  /** What a filter or mapper declares, by status; `undefined` where nobody says how replies are written. */
  readonly responses?: ReadonlyMap<number, ResponsePlan>
}

/** What a plan says about responses. */
export type ResponsePlans = Pick<Plan, 'name' | 'headers' | 'cacheControl' | 'responses'>

interface Prepared {
  /** What writes an entity; `undefined` where nothing is produced. */
  readonly choose: ((headers: Headers.Headers) => TypedWriter) | undefined
  /** Fields of every response with this status, and those without `Cache-Control`, for replies that bring their own. */
  readonly headers: Headers.Headers
  readonly uncached: Headers.Headers
  /** Whether a reply may say again what can be said once. */
  readonly hasSingle: boolean
}

/** A writer, and the fields of a response that has none of its own. */
interface TypedWriter extends BodyWriter {
  readonly headers: Headers.Headers
}

/**
 * Prepares the responses of a plan; `offers` is everything that `Accept` chooses from where the plan stands. A reply whose
 * status is not declared is a defect of the handler.
 */
export const responseEncoder = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
): EncodeResponse => {
  const preparedFor = preparing(plan, settings, offers)
  const locate = locationResolver(settings)
  return ({ status, entity, headers, as }, asking) => {
    const { exchange } = asking
    const known = preparedFor(status, entity, as)
    const writer = entity === undefined ? undefined : known.choose?.(exchange.headers)
    // most responses have no headers of their own
    const own =
      headers.length > 0 ? locate(describing(status, sanitizeHeaders(headers)), exchange) : headers
    const type = own.length > 0 ? Headers.first(own, 'content-type') : undefined
    // a reply that sets Content-Type is written in its charset
    const write = type === undefined ? writer?.write : writer?.writeAs(type)
    const content = write?.(entity, asking)
    const fields =
      headers.length > 0
        ? together(known, writer, own, type !== undefined)
        : writer === undefined
          ? known.headers
          : writer.headers
    return typeof content === 'function'
      ? opened(enforceContentLength(content, headers), { status, headers: fields }, exchange)
      : { status, headers: fields, body: content }
  }
}

/** The fields that were prepared, and those of a reply. */
const together = (
  known: Prepared,
  writer: TypedWriter | undefined,
  own: Headers.Headers,
  isTyped: boolean,
): Headers.Headers => {
  const isCached = Headers.first(own, 'cache-control') !== undefined
  const fixed = isCached ? known.uncached : known.headers
  if (known.hasSingle)
    return sanitizeHeaders([
      ...(writer === undefined ? [] : ['Content-Type', writer.contentType]),
      ...fixed,
      ...own,
    ])
  if (writer === undefined || isTyped) return [...fixed, ...own]
  return isCached
    ? ['Content-Type', writer.contentType, ...fixed, ...own]
    : [...writer.headers, ...own]
}

const opened =
  (
    open: DeferredResponse,
    head: Pick<EncodedResponse, 'status' | 'headers'>,
    exchange: Exchange,
  ): AsyncResult<ResponseContext, EncodedResponse> =>
  (_, then, failed) =>
    void open(head, exchange).then(then).catch(failed)

const preparing = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
): ((status: number, entity: unknown, as: number | undefined) => Prepared) => {
  const negotiated = isNegotiated(offers)
  const prepared = new Map(
    [...plan.responses.values()].map((response) => [
      response.status,
      prepare(plan, response, negotiated, settings),
    ]),
  )
  const restated = (status: number, as: number): Prepared => {
    const alternatives = plan.responses.get(as)?.alternatives ?? []
    return prepare(plan, { status, failure: false, alternatives }, negotiated, settings)
  }
  return (status, entity, as) =>
    prepared.get(status) ??
    (as === undefined ? silent(plan, status, entity, negotiated, settings) : restated(status, as))
}

/** A response whose content is still to be written. */
export interface ResponseDraft {
  readonly status: number
  readonly contentType: string
  /** The other fields; all of them where there is no content. */
  readonly headers: Headers.Headers
  /** What writes the entity, unless a writer around the operation does; `undefined` without content. */
  readonly writer: Pick<BodyWriter, 'alternative' | 'write'> | undefined
}

export type DraftResponse = (outcome: ResponseValue, exchange: Exchange) => ResponseDraft

/** As {@link responseEncoder}, up to the content. */
export const responseDrafter = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
): DraftResponse => {
  const preparedFor = preparing(plan, settings, offers)
  const locate = locationResolver(settings)
  return ({ status, entity, headers, as }, exchange) => {
    const known = preparedFor(status, entity, as)
    const writer = entity === undefined ? undefined : known.choose?.(exchange.headers)
    const located = locate(describing(status, sanitizeHeaders(headers)), exchange)
    const fixed =
      Headers.first(located, 'cache-control') === undefined ? known.headers : known.uncached
    return draft(status, sanitizeHeaders([...fixed, ...located]), writer?.contentType ?? '', writer)
  }
}

/** As {@link undeclaredEncoder}, up to the content. */
export const undeclaredDrafter = (settings: Settings): DraftResponse => {
  const locate = locationResolver(settings)
  return ({ status, entity, headers }, exchange) => {
    const fields = locate(describing(status, sanitizeHeaders(headers)), exchange)
    if (entity === undefined || !Status.allowsBody(status))
      return draft(status, fields, '', undefined)
    const [type] = plainly(entity)
    const write = (value: unknown): string | Uint8Array => plainly(value)[1]
    return draft(status, fields, type, { alternative: undefined, write })
  }
}

const draft = (
  status: number,
  fields: Headers.Headers,
  contentType: string,
  writer: ResponseDraft['writer'],
): ResponseDraft =>
  writer === undefined
    ? { status, contentType, headers: fields, writer }
    : {
        status,
        contentType: Headers.first(fields, 'content-type') ?? contentType,
        headers: Headers.without(fields, 'content-type'),
        writer,
      }

/** Writes replies of which nobody says how: text as text, octets as octets, everything else as JSON. */
export const undeclaredEncoder = (settings: Settings): EncodeResponse => {
  const locate = locationResolver(settings)
  return (outcome, { exchange }) =>
    undeclared({ ...outcome, headers: locate(outcome.headers, exchange) })
}

/** The answer for a reply of which nobody says how it is written. Throws for one whose status HTTP does not have. */
export const undeclared = ({ status, entity, headers }: ResponseValue): EncodedResponse => {
  if (!Status.isStatus(status)) throw new RangeError(`a reply has the status ${status}`)
  const fields = describing(status, sanitizeHeaders(headers))
  if (entity === undefined || !Status.allowsBody(status))
    return { status, headers: fields, body: undefined }
  const [type, content] = plainly(entity)
  const own = Headers.first(fields, 'content-type')
  if (own === undefined)
    return { status, headers: ['Content-Type', type, ...fields], body: content }
  return {
    status,
    headers: fields,
    body: typeof content === 'string' ? encodeFor(own, content) : content,
  }
}

/** The media type and the content of an entity of which nobody says how it is written. */
const plainly = (entity: unknown): readonly [type: string, content: string | Uint8Array] =>
  typeof entity === 'string'
    ? ['text/plain;charset=UTF-8', entity]
    : entity instanceof Uint8Array
      ? ['application/octet-stream', entity]
      : ['application/json', JSON.stringify(unwrapHal(entity))]

/** Whether `Accept` has a say (RFC 9110, 12.5.5). It has for a range too: the client names the media type. */
const isNegotiated = (contents: ReadonlyArray<BodyPlan>): boolean =>
  contents.length > 1 ||
  contents.some((one) => MediaType.isRange(one.mediaType) && !hasLateMediaType(one))

const prepare = (
  plan: ResponsePlans,
  { status, alternatives }: ResponsePlan,
  negotiated: boolean,
  settings: Settings,
): Prepared => {
  const vary = negotiated || isNegotiated(alternatives) ? ['Vary', 'Accept'] : []
  const uncached = [...describing(status, sanitizeHeaders(plan.headers)), ...vary]
  const cacheable = Status.isSuccess(status) || status === 304
  const headers =
    plan.cacheControl === undefined || !cacheable
      ? uncached
      : [...uncached, 'Cache-Control', plan.cacheControl]
  return {
    choose:
      alternatives.length === 0 || !Status.allowsBody(status)
        ? undefined
        : choosing(plan, alternatives, headers, settings),
    headers,
    uncached,
    hasSingle: hasSingletonHeader(headers),
  }
}

/** A failure that the client would rather not have is sent all the same (RFC 9110, 12.4.1). */
const choosing = (
  { name }: ResponsePlans,
  alternatives: ReadonlyArray<BodyPlan>,
  headers: Headers.Headers,
  settings: Settings,
): ((request: Headers.Headers) => TypedWriter) => {
  const choose = negotiateWriter(alternatives, settings)
  const typed = memoizeHeader((accept): TypedWriter => {
    const writer = choose(accept) ?? choose(undefined)
    if (writer === undefined) throw new TypeError(`${name} produces no concrete media type`)
    const declared = Headers.first(headers, 'content-type')
    return {
      ...(declared === undefined ? writer : withContentType(writer, declared)),
      headers: sanitizeHeaders(['Content-Type', writer.contentType, ...headers]),
    }
  })
  if (isNegotiated(alternatives)) return (request) => typed(Headers.combined(request, 'accept'))
  // whatever `Accept` says, there is only one
  const only = typed(undefined)
  return () => only
}

/** A reply without content may have any of the statuses that never have one: nothing could be declared of it. */
const silent = (
  plan: ResponsePlans,
  status: number,
  entity: unknown,
  negotiated: boolean,
  settings: Settings,
): Prepared => {
  if (entity === undefined && !Status.allowsBody(status))
    return prepare(plan, { status, failure: false, alternatives: [] }, negotiated, settings)
  throw new TypeError(`${plan.name} replies ${status}, which it does not declare`)
}

/** Fields without those that describe a content, where the status says that there is none to describe (RFC 9110, 8). */
const describing = (status: number, headers: Headers.Headers): Headers.Headers =>
  status === 204 || status === 205
    ? Headers.without(Headers.without(headers, 'content-type'), 'content-encoding')
    : headers

/** Changes the `Location` among fields. */
export type ResolveLocation = (headers: Headers.Headers, exchange: Exchange) => Headers.Headers

/** `Location` as it is sent: as it was given or, if the settings say so, resolved against the base URI of the application. */
export const locationResolver = (settings: Settings): ResolveLocation =>
  settings['fw.rest.absolute-location']
    ? absolute(settings['fw.rest.path'], settings['fw.http.public-url'])
    : identity

const absolute =
  (path: string, publicUrl: string | undefined): ResolveLocation =>
  (headers, exchange) => {
    const server = publicUrl ?? serverUrl(exchange)
    const base = `${server}${path.endsWith('/') ? path : `${path}/`}`
    return headers.map((text, index) =>
      index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'location'
        ? (parseUrl(text, base)?.href ?? text)
        : text,
    )
  }
