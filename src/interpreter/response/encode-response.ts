/** Encodes response values: selects the representation that the client prefers, and completes the headers. */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'
import type { EncodedResponse, Exchange } from '../exchange.ts'
import type { AsyncResult } from '../filters/interceptor-chain.ts'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import { hasLateMediaType } from '../../body/body-plan.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { enforceContentLength } from './enforce-content-length.ts'
import { locationResolver } from './location-header.ts'
import type { ResponseDraft } from './response-head.ts'
import { createDraft } from './response-head.ts'
import { hasSingletonHeader, removeBodyHeaders, sanitizeHeaders } from './response-headers.ts'
import type { DeferredResponse, StatusAndHeaders, WriteContext } from './write-body.ts'
import type { BodyWriter } from './write-content.ts'
import { negotiateWriter, withContentType } from './write-content.ts'

/** A response before it is encoded: a reply, or the result of a handler with its status. */
export type ResponseValue = Pick<AnyReply, 'status' | 'entity' | 'headers'> & {
  /** The declared status whose representations are used if `status` is not declared. */
  readonly declaredStatus?: number
}

/**
 * Encodes a response value.
 *
 * The result is asynchronous for streams and files, for computed ETags, and where writers or interceptors of the application run.
 */
export interface EncodeResponse {
  (
    response: ResponseValue,
    context: WriteContext,
  ): EncodedResponse | AsyncResult<ResponseContext, EncodedResponse>
  /** The responses that a filter or mapper declares, by status; `undefined` if it declares none. */
  readonly responses?: ReadonlyMap<number, ResponsePlan>
}

/** The part of a plan that describes responses. */
export type ResponsePlans = Pick<Plan, 'name' | 'headers' | 'cacheControl' | 'responses'>

/** Everything about the responses with one status that does not depend on a request. */
interface PreparedStatus {
  /** Selects the writer of the body; `undefined` for a response without a body. */
  readonly choose: ((headers: Headers.Headers) => TypedWriter) | undefined
  /** The headers of every response. */
  readonly headers: Headers.Headers
  /** The same without `Cache-Control`, for replies that set it. */
  readonly uncached: Headers.Headers
  /** Whether a reply may repeat a singleton header. */
  readonly hasSingleton: boolean
}

/** A writer, and the headers of a response whose reply sets none. */
interface TypedWriter extends BodyWriter {
  readonly headers: Headers.Headers
}

/**
 * Prepares the encoder of the responses of a plan.
 *
 * `offers` lists all representations that the `Accept` header selects from. The encoder throws a `TypeError` for a status that
 * is not declared.
 */
export const responseEncoder = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
): EncodeResponse => {
  const preparedFor = prepareStatuses(plan, settings, offers)
  const resolveLocation = locationResolver(settings)
  return ({ status, entity, headers, declaredStatus }, context) => {
    const { exchange } = context
    const prepared = preparedFor(status, entity, declaredStatus)
    const writer = entity === undefined ? undefined : prepared.choose?.(exchange.headers)
    // most replies set no headers
    const ownHeaders =
      headers.length > 0
        ? resolveLocation(removeBodyHeaders(status, sanitizeHeaders(headers)), exchange)
        : headers
    const ownType = ownHeaders.length > 0 ? Headers.first(ownHeaders, 'content-type') : undefined
    // a reply that sets Content-Type is written in its charset
    const write = ownType === undefined ? writer?.write : writer?.writeAs(ownType)
    const body = write?.(entity, context)
    const allHeaders =
      headers.length > 0
        ? combineHeaders(prepared, writer, ownHeaders, ownType !== undefined)
        : writer === undefined
          ? prepared.headers
          : writer.headers
    return typeof body === 'function'
      ? completeDeferred(
          enforceContentLength(body, headers),
          { status, headers: allHeaders },
          exchange,
        )
      : { status, headers: allHeaders, body }
  }
}

/** Combines the prepared headers with those of a reply. */
const combineHeaders = (
  prepared: PreparedStatus,
  writer: TypedWriter | undefined,
  ownHeaders: Headers.Headers,
  hasContentType: boolean,
): Headers.Headers => {
  const hasCacheControl = Headers.first(ownHeaders, 'cache-control') !== undefined
  const fixed = hasCacheControl ? prepared.uncached : prepared.headers
  if (prepared.hasSingleton)
    return sanitizeHeaders([
      ...(writer === undefined ? [] : ['Content-Type', writer.contentType]),
      ...fixed,
      ...ownHeaders,
    ])
  if (writer === undefined || hasContentType) return [...fixed, ...ownHeaders]
  return hasCacheControl
    ? ['Content-Type', writer.contentType, ...fixed, ...ownHeaders]
    : [...writer.headers, ...ownHeaders]
}

const completeDeferred =
  (
    complete: DeferredResponse,
    head: StatusAndHeaders,
    exchange: Exchange,
  ): AsyncResult<ResponseContext, EncodedResponse> =>
  (_, then, failed) =>
    void complete(head, exchange).then(then).catch(failed)

const prepareStatuses = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
): ((status: number, entity: unknown, declaredStatus: number | undefined) => PreparedStatus) => {
  const negotiated = isNegotiated(offers)
  const prepared = new Map(
    [...plan.responses.values()].map((response) => [
      response.status,
      prepare(plan, response, negotiated, settings),
    ]),
  )
  const asDeclaredFor = (status: number, declaredStatus: number): PreparedStatus => {
    const alternatives = plan.responses.get(declaredStatus)?.alternatives ?? []
    return prepare(plan, { status, failure: false, alternatives }, negotiated, settings)
  }
  return (status, entity, declaredStatus) =>
    prepared.get(status) ??
    (declaredStatus === undefined
      ? withoutBody(plan, status, entity, negotiated, settings)
      : asDeclaredFor(status, declaredStatus))
}

/** Determines everything about a response except its body. */
export type DraftResponse = (response: ResponseValue, exchange: Exchange) => ResponseDraft

/** Prepares the drafts of responses whose bodies pass writer interceptors. Counterpart of {@link responseEncoder}. */
export const responseDrafter = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
): DraftResponse => {
  const preparedFor = prepareStatuses(plan, settings, offers)
  const resolveLocation = locationResolver(settings)
  return ({ status, entity, headers, declaredStatus }, exchange) => {
    const prepared = preparedFor(status, entity, declaredStatus)
    const writer = entity === undefined ? undefined : prepared.choose?.(exchange.headers)
    const ownHeaders = resolveLocation(
      removeBodyHeaders(status, sanitizeHeaders(headers)),
      exchange,
    )
    const fixed =
      Headers.first(ownHeaders, 'cache-control') === undefined
        ? prepared.headers
        : prepared.uncached
    const allHeaders = sanitizeHeaders([...fixed, ...ownHeaders])
    return createDraft(status, allHeaders, writer?.contentType ?? '', writer)
  }
}

/**
 * Whether the response depends on `Accept` (RFC 9110, 12.5.5): with several representations, or with a media range, because
 * the client then selects the media type.
 */
const isNegotiated = (alternatives: ReadonlyArray<BodyPlan>): boolean =>
  alternatives.length > 1 ||
  alternatives.some((plan) => MediaType.isRange(plan.mediaType) && !hasLateMediaType(plan))

const prepare = (
  plan: ResponsePlans,
  { status, alternatives }: ResponsePlan,
  negotiated: boolean,
  settings: Settings,
): PreparedStatus => {
  const vary = negotiated || isNegotiated(alternatives) ? ['Vary', 'Accept'] : []
  const uncached = [...removeBodyHeaders(status, sanitizeHeaders(plan.headers)), ...vary]
  const isCacheable = Status.isSuccess(status) || status === 304
  const headers =
    plan.cacheControl === undefined || !isCacheable
      ? uncached
      : [...uncached, 'Cache-Control', plan.cacheControl]
  return {
    choose:
      alternatives.length === 0 || !Status.allowsBody(status)
        ? undefined
        : chooseWriter(plan, alternatives, headers, settings),
    headers,
    uncached,
    hasSingleton: hasSingletonHeader(headers),
  }
}

/**
 * Prepares the selection of a writer by `Accept`. If no representation is acceptable, the first one is sent nevertheless: the
 * operation has run, and RFC 9110, 12.4.1 allows it.
 */
const chooseWriter = (
  { name }: ResponsePlans,
  alternatives: ReadonlyArray<BodyPlan>,
  headers: Headers.Headers,
  settings: Settings,
): ((requestHeaders: Headers.Headers) => TypedWriter) => {
  const negotiate = negotiateWriter(alternatives, settings)
  const writerFor = memoizeHeader((accept): TypedWriter => {
    const writer = negotiate(accept) ?? negotiate(undefined)
    if (writer === undefined)
      throw new TypeError(`${name} has no concrete media type: set Content-Type in the reply`)
    const declaredType = Headers.first(headers, 'content-type')
    return {
      ...(declaredType === undefined ? writer : withContentType(writer, declaredType)),
      headers: sanitizeHeaders(['Content-Type', writer.contentType, ...headers]),
    }
  })
  if (isNegotiated(alternatives))
    return (requestHeaders) => writerFor(Headers.combined(requestHeaders, 'accept'))
  // with one representation, Accept does not matter
  const only = writerFor(undefined)
  return () => only
}

/** Prepares an undeclared status that never has a body, such as 204. Throws a `TypeError` for any other undeclared status. */
const withoutBody = (
  plan: ResponsePlans,
  status: number,
  entity: unknown,
  negotiated: boolean,
  settings: Settings,
): PreparedStatus => {
  if (entity === undefined && !Status.allowsBody(status))
    return prepare(plan, { status, failure: false, alternatives: [] }, negotiated, settings)
  throw new TypeError(
    `${plan.name} returned undeclared status ${status}: declare it with responds(${status}) or fails(${status})`,
  )
}
